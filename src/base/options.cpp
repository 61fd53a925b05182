// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "base/cores.hpp"
#include "base/misspelt.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf {
namespace {

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
constexpr std::uint64_t gibi = std::uint64_t{1} << 30;

/// The numeric settings, each with its variable and legal interval. A field whose interval starts above 0 may also be
/// 0, which stands for its default; the variable may not.
template <class Options, class Visit>
void each_number(Options& o, Visit&& visit) {
  visit("SHEAF_LOCATIONS", o.locations, 1, 65536);
  visit("SHEAF_THREADS", o.threads, 1, 1024);
  visit("SHEAF_BUFFER_BYTES", o.buffer_bytes, 128, gibi);
  visit("SHEAF_FIRST_FLUSH_BYTES", o.first_flush_bytes, 1, gibi);
  visit("SHEAF_NEAR_BUFFER_BYTES", o.near_buffer_bytes, 128, gibi);
  visit("SHEAF_NEAR_FIRST_FLUSH_BYTES", o.near_first_flush_bytes, 1, gibi);
  visit("SHEAF_MPI_EVERY", o.mpi_every, 1, mebi);
  visit("SHEAF_RING_SLOTS", o.ring_slots, 1, mebi);
  visit("SHEAF_WINDOW", o.window, 1, mebi);
  visit("SHEAF_RESERVE_BYTES", o.reserve_bytes, 1, 1024 * gibi);
  visit("SHEAF_NESTING_LIMIT", o.nesting_limit, 0, 1024);
  visit("SHEAF_TREE_ARITY", o.tree_arity, 1, 65536);
  visit("SHEAF_POLL_EVERY", o.poll_every, 1, gibi);
  visit("SHEAF_FLUSH_AGE_NS", o.flush_age_ns, 0, std::uint64_t{1} << 62);
  visit("SHEAF_SPIN_POLLS", o.spin_polls, 1, gibi);
  visit("SHEAF_YIELD_POLLS", o.yield_polls, 1, gibi);
  visit("SHEAF_SEED", o.seed, 0, std::numeric_limits<std::uint64_t>::max());
  visit("SHEAF_STACK_BYTES", o.stack_bytes, 16384, gibi);
}

[[noreturn]] void refuse(char const* variable, std::string_view value, std::string const& legal) {
  throw option_error("sheaf: " + std::string(variable) + " is '" + std::string(value) + "'; it must be " + legal +
                     ". Set it so, or unset it for the default.");
}

std::string interval(std::uint64_t low, std::uint64_t high) {
  return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

/// The value of a variable; null where it is not set or is empty.
char const* variable(char const* name) {
  char const* const text = std::getenv(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

std::uint64_t parse(char const* name, std::string_view text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool const whole = problem == std::errc() && end == text.data() + text.size();
  if (!whole || value < low || value > high) refuse(name, text, interval(low, high));
  return value;
}

transport_kind parse_transport(std::string_view text) {
  if (text == "auto") return transport_kind::automatic;
  for (auto kind : {transport_kind::thread, transport_kind::sim, transport_kind::mpi, transport_kind::hybrid}) {
    if (text == name(kind)) return kind;
  }
  refuse("SHEAF_TRANSPORT", text, "auto, thread, sim, mpi or hybrid");
}

fence_form_kind parse_fence_form(std::string_view text) {
  if (text == "auto") return fence_form_kind::automatic;
  for (auto kind : {fence_form_kind::tree, fence_form_kind::dissemination}) {
    if (text == name(kind)) return kind;
  }
  refuse("SHEAF_FENCE_FORM", text, "auto, tree or dissemination");
}

bool parse_switch(char const* name, std::string_view text) {
  if (text != "0" && text != "1") refuse(name, text, "0 or 1");
  return text == "1";
}

void check_library(std::string_view library) {
  bool const known = library.empty() || library == "openmpi" || library == "mpich";
  if (!known) refuse("SHEAF_MPI", library, "openmpi or mpich");
}

void check_intervals(options const& o) {
  each_number(o, [](char const* name, auto const& field, std::uint64_t low, std::uint64_t high) {
    if (field != 0 && (field < low || field > high)) refuse(name, std::to_string(field), interval(low, high));
  });
  check_library(o.mpi_library);
}

template <class T>
void fill(T& field, T otherwise) {
  if (field == 0) field = otherwise;
}

/// The fence that suits the machine. Crowded, a message costs a change of threads: a flat tree has the fewest in a row.
void fill_fence(options& o, bool crowded) {
  if (o.fence_form == fence_form_kind::automatic) {
    o.fence_form = crowded ? fence_form_kind::tree : fence_form_kind::dissemination;
  }
  fill(o.tree_arity, crowded ? 64u : 4u);
}

/// The first of these variables that is a number; 0: none is.
unsigned first_number(std::initializer_list<char const*> names) {
  for (char const* const each : names) {
    char const* const text = variable(each);
    unsigned count = 0;
    if (text != nullptr && std::from_chars(text, text + std::strlen(text), count).ec == std::errc()) return count;
  }
  return 0;
}

/// Processes of an MPI job on this host, as its launcher says; 0: it does not.
unsigned processes_here() { return first_number({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE"}); }

/// All processes of an MPI job, as its launcher says; 0: it does not.
unsigned processes() { return first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}); }

/// Cores of this host, whichever of them this process is bound to.
unsigned online_cores() { return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

void fill_thread(options& o) {
  unsigned const cores = detail::usable_cores();
  fill(o.locations, o.threads != 0 ? o.threads : cores);
  if (o.threads != 0 && o.threads != o.locations) {
    throw option_error("sheaf: SHEAF_THREADS is " + std::to_string(o.threads) + " and SHEAF_LOCATIONS " +
                       std::to_string(o.locations) +
                       "; without MPI there is one process, and both are its threads. Set one of them.");
  }
  bool const crowded = o.locations > cores;
  fill(o.buffer_bytes, std::size_t{16} << 10);
  fill(o.ring_slots, 64u);
  fill(o.window, 8u);
  fill(o.spin_polls, crowded ? 0u : 2000u);
  fill(o.yield_polls, crowded ? 1000u : 200u);
  fill_fence(o, crowded);
}

void fill_sim(options& o) {
  fill(o.locations, 4u);
  fill(o.buffer_bytes, std::size_t{1} << 10);
  fill(o.ring_slots, 16u);
  fill(o.window, 4u);
  fill(o.spin_polls, 1u);
  fill(o.yield_polls, 1u);
  fill_fence(o, false);
}

/// No buffer is so small that it is not worth a message; within one host, where that costs less than on a network, they
/// are smaller, and overlap with their execution earlier. All processes come to the same result, as they must.
/// Leaves spin_polls at 0: how many suit is known once the locations have told each other of their hosts and cores.
void fill_mpi(options& o, unsigned processes_per_host) {
  bool const one_host = processes_here() != 0 && processes_here() == processes();
  fill(o.buffer_bytes, std::size_t{one_host ? 16u : 32u} << 10);
  fill(o.first_flush_bytes, std::min(std::size_t{one_host ? 4u : 8u} << 10, o.buffer_bytes));
  fill(o.ring_slots, 256u);
  fill(o.window, 16u);
  fill(o.yield_polls, 200u);
  fill_fence(o, processes_per_host > online_cores());
}

/// As over MPI; within the process as between threads. `spin_polls` stays open likewise.
void fill_hybrid(options& o) {
  unsigned const here = std::max(1u, processes_here());
  fill(o.threads, std::max(1u, std::min(detail::usable_cores(), online_cores() / here)));
  fill(o.near_buffer_bytes, o.buffer_bytes != 0 ? o.buffer_bytes : std::size_t{16} << 10);
  fill(o.near_first_flush_bytes, o.first_flush_bytes != 0 ? o.first_flush_bytes : std::size_t{512});
  fill(o.mpi_every, 4u);
  fill(o.ring_slots, 128u);
  fill(o.yield_polls, here * o.threads > online_cores() ? 1000u : 200u);
  fill_mpi(o, here);  // fences are between processes
}

/// Every setting but the transport, as its variable and value.
setting_list all_settings(options const& o) {
  setting_list all;
  each_number(o,
              [&](char const* name, auto const& field, auto, auto) { all.emplace_back(name, std::to_string(field)); });
  all.emplace_back("SHEAF_FENCE_FORM", name(o.fence_form));
  all.emplace_back("SHEAF_PIN", o.pin ? "1" : "0");
  all.emplace_back("SHEAF_REPORT_SIGNALS", o.report_signals ? "1" : "0");
  all.emplace_back("SHEAF_MPI", o.mpi_library);
  return all;
}

/// Every variable that Sheaf looks at.
std::vector<std::string_view> all_variables() {
  std::vector<std::string_view> all{"SHEAF_TRANSPORT",      "SHEAF_FENCE_FORM", "SHEAF_PIN",
                                    "SHEAF_REPORT_SIGNALS", "SHEAF_MPI",        "SHEAF_WIRE_DIR"};
  options o;
  each_number(o, [&](char const* name, auto const&, auto, auto) { all.push_back(name); });
  return all;
}

}  // namespace

char const* name(transport_kind kind) noexcept {
  switch (kind) {
    case transport_kind::automatic:
      return "auto";
    case transport_kind::thread:
      return "thread";
    case transport_kind::sim:
      return "sim";
    case transport_kind::mpi:
      return "mpi";
    case transport_kind::hybrid:
      return "hybrid";
  }
  return "unknown";
}

char const* name(fence_form_kind kind) noexcept {
  switch (kind) {
    case fence_form_kind::automatic:
      return "auto";
    case fence_form_kind::tree:
      return "tree";
    case fence_form_kind::dissemination:
      return "dissemination";
  }
  return "unknown";
}

options options::from_environment() {
  detail::refuse_misspelt(all_variables());
  options o;
  each_number(o, [](char const* name, auto& field, std::uint64_t low, std::uint64_t high) {
    if (char const* const text = variable(name)) {
      field = static_cast<std::remove_reference_t<decltype(field)>>(parse(name, text, low, high));
    }
  });
  if (char const* const text = variable("SHEAF_TRANSPORT")) o.transport = parse_transport(text);
  if (char const* const text = variable("SHEAF_FENCE_FORM")) o.fence_form = parse_fence_form(text);
  if (char const* const text = variable("SHEAF_PIN")) o.pin = parse_switch("SHEAF_PIN", text);
  if (char const* const text = variable("SHEAF_REPORT_SIGNALS"))
    o.report_signals = parse_switch("SHEAF_REPORT_SIGNALS", text);
  if (char const* const text = variable("SHEAF_MPI")) o.mpi_library = text;
  check_library(o.mpi_library);
  return o;
}

options options::resolved() const {
  check_intervals(*this);
  options o = *this;
  switch (o.transport) {
    case transport_kind::thread:
      fill_thread(o);
      break;
    case transport_kind::sim:
      fill_sim(o);
      break;
    case transport_kind::mpi:
      fill_mpi(o, processes_here());
      break;
    case transport_kind::hybrid:
      fill_hybrid(o);
      break;
    case transport_kind::automatic:
      refuse("the transport", "auto", "chosen (thread, sim, mpi or hybrid) before it is resolved");
  }
  fill(o.first_flush_bytes, std::size_t{512});
  fill(o.reserve_bytes, std::max(std::size_t{4} << 20, 2 * o.buffer_bytes));
  fill(o.poll_every, 256u);
  fill(o.stack_bytes, std::size_t{256} << 10);
  return o;
}

setting_list changed_from_default(options const& job) {
  options plain;
  plain.transport = job.transport;
  plain.locations = job.locations;
  plain.seed = job.seed;
  setting_list const usual = all_settings(plain.resolved());
  setting_list changed = all_settings(job.resolved());
  std::erase_if(changed, [&](auto const& one) { return std::find(usual.begin(), usual.end(), one) != usual.end(); });
  return changed;
}

}  // namespace sheaf
