// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/options.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/machine.hpp"
#include "base/settings.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf {
namespace {

using detail::processes_here;
using detail::setting;

void check_values(options const& o) {
  for (setting const& row : detail::all_settings()) {
    std::string const value = row.value(o);
    bool const open = value.empty() || (row.high != 0 && value == "0");
    options copy;
    if (!open && !row.assign(copy, row, value)) detail::refuse(row, value);
  }
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

/// Cores of this host, whichever of them this process is bound to.
unsigned online_cores() { return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

void fill_thread(options& o) {
  unsigned const cores = detail::usable_cores();
  fill(o.locations, o.threads != 0 ? o.threads : cores);
  if (o.threads != 0 && o.threads != o.locations) {
    throw option_error("sheaf: SHEAF_THREADS is " + std::to_string(o.threads) + " and SHEAF_LOCATIONS " +
                       std::to_string(o.locations) + "; without MPI both are the number of threads. Set one of them.");
  }
  bool const crowded = o.locations > cores;
  fill(o.buffer_bytes, std::size_t{16} << 10);
  fill(o.first_flush_bytes, std::min(std::size_t{2} << 10, o.buffer_bytes));
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

/// Between processes no buffer is so small that it is not worth a message; where all are on one host they are smaller,
/// and overlap with their execution earlier. Within a host as between threads. All processes come to the same result,
/// but for the fence, on which they agree when they meet (meeting.hpp). Until then spin_polls stays 0.
void fill_processes(options& o) {
  unsigned const here = std::max(1u, processes_here());
  unsigned const of_cores = std::max(1u, std::min(detail::usable_cores(), online_cores() / here));
  fill(o.threads, o.transport == transport_kind::mpi ? 1u : of_cores);
  fill(o.near_buffer_bytes, o.buffer_bytes != 0 ? o.buffer_bytes : std::size_t{16} << 10);
  fill(o.near_first_flush_bytes,
       o.first_flush_bytes != 0 ? o.first_flush_bytes : std::min(std::size_t{2} << 10, o.near_buffer_bytes));
  bool const one_host = processes_here() != 0 && processes_here() == detail::processes();
  fill(o.buffer_bytes, std::size_t{one_host ? 16u : 32u} << 10);
  fill(o.first_flush_bytes, std::min(std::size_t{one_host ? 4u : 8u} << 10, o.buffer_bytes));
  fill(o.mpi_every, 4u);
  fill(o.ring_slots, one_host ? 64u : 128u);
  fill(o.window, 16u);
  fill(o.yield_polls, here * o.threads > online_cores() ? 1000u : 200u);
  fill_fence(o, here > online_cores());
}

/// By the order in which the kinds are declared.
template <std::size_t N, class Kind>
char const* among(char const* const (&names)[N], Kind kind) noexcept {
  auto const i = static_cast<std::size_t>(kind);
  return i < N ? names[i] : "unknown";
}

}  // namespace

char const* name(transport_kind kind) noexcept { return among({"auto", "thread", "sim", "mpi", "hybrid"}, kind); }
char const* name(fence_form_kind kind) noexcept { return among({"auto", "tree", "dissemination"}, kind); }
char const* name(progress_kind kind) noexcept { return among({"inline", "shared", "helper", "hand_over"}, kind); }

options options::from_environment() {
  detail::refuse_misspelt();
  options o;
  for (setting const& row : detail::all_settings()) {
    char const* const text = row.is_variable() ? detail::variable(row.name) : nullptr;
    if (text != nullptr && !row.assign(o, row, text)) detail::refuse(row, text);
  }
  return o;
}

options options::resolved() const {
  check_values(*this);
  options o = *this;
  if (o.transport == transport_kind::automatic)
    throw option_error(
        "sheaf: the transport is 'auto'; it must be chosen (thread, sim, mpi or hybrid) before it is resolved.");
  auto* const fill_for = o.transport == transport_kind::thread ? fill_thread
                         : o.transport == transport_kind::sim  ? fill_sim
                                                               : fill_processes;
  fill_for(o);
  fill(o.first_flush_bytes, std::size_t{512});
  fill(o.reserve_bytes, std::max(std::size_t{4} << 20, 2 * o.buffer_bytes));
  fill(o.buffer_budget, std::size_t{512} << 20);
  fill(o.poll_every, 1024u);
  if (o.watchdog_ms == of_transport) o.watchdog_ms = o.transport == transport_kind::sim ? 0 : 2000;
  fill(o.stack_bytes, std::size_t{256} << 10);
  fill(o.trace_bytes, std::size_t{o.transport == transport_kind::sim ? 1u : 16u} << 20);
  fill(o.helpers, 1u);
  // Who sees to the buffers of a location that computes does so by their age.
  bool const by_age = o.progress == progress_kind::helper || o.progress == progress_kind::hand_over;
  if (by_age) fill(o.flush_age_ns, std::uint64_t{500'000});
  return o;
}

setting_list changed_from_default(options const& job) {
  options plain;
  plain.transport = job.transport;
  plain.locations = job.locations;
  plain.seed = job.seed;
  plain.trace = job.trace;  // a job does the same with a trace and without
  plain.trace_bytes = job.trace_bytes;
  options const usual = plain.resolved(), mine = job.resolved();
  setting_list changed;
  for (setting const& row : detail::all_settings()) {
    std::string value = row.value(mine);
    if (value != row.value(usual)) changed.emplace_back(row.name, std::move(value));
  }
  return changed;
}

}  // namespace sheaf
