// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {
namespace {

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
constexpr std::uint64_t gibi = std::uint64_t{1} << 30;

char const* word(bool on) { return on ? "1" : "0"; }
char const* word(auto kind) { return name(kind); }

/// "a, b or c".
std::string join(std::vector<char const*> const& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

/// A whole number. The field, not the variable, may be 0 for its default, or `of_transport` where 0 has a meaning.
template <auto Field, bool ZeroIsOff = false>
constexpr setting number(char const* name, std::uint64_t low, std::uint64_t high, char const* meaning = "") {
  setting row{name, meaning, low, high};
  row.value = [](options const& o) {
    return ZeroIsOff && o.*Field == options::of_transport ? std::string() : std::to_string(o.*Field);
  };
  row.assign = [](options& o, setting const& self, std::string_view text) {
    std::uint64_t value = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const whole = problem == std::errc() && end == text.data() + text.size();
    if (!whole || value < self.low || value > self.high) return false;
    o.*Field = static_cast<std::remove_reference_t<decltype(o.*Field)>>(value);
    return true;
  };
  return row;
}

/// One of several words, each of which stands for a value of its field.
template <auto Field, auto... Kinds>
constexpr setting choice(char const* name, char const* meaning = "") {
  setting row{name, meaning};
  row.words = [] { return join({word(Kinds)...}); };
  row.value = [](options const& o) { return std::string(word(o.*Field)); };
  row.assign = [](options& o, setting const&, std::string_view text) {
    return ((text == word(Kinds) && (o.*Field = Kinds, true)) || ...);
  };
  return row;
}

/// A folder, or X of a file libsheaf_wire_X.so.
template <auto Field, bool IsModule = false>
constexpr setting text(char const* name, char const* meaning) {
  setting row{name, meaning};
  row.words = [] { return std::string(IsModule ? "openmpi, mpich or the name of another wire module" : "a folder"); };
  row.value = [](options const& o) { return o.*Field; };
  row.assign = [](options& o, setting const&, std::string_view value) {
    constexpr char const* of_a_name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (IsModule && (value.empty() || value.find_first_not_of(of_a_name) != value.npos)) return false;
    o.*Field = value;
    return true;
  };
  return row;
}

using enum transport_kind;
constexpr setting table[] = {
    choice<&options::transport, automatic, thread, sim, mpi, hybrid>(
        "SHEAF_TRANSPORT", "what connects the locations; auto: mpi under an MPI launcher, else thread"),
    number<&options::locations>("SHEAF_LOCATIONS", 1, 65536, "how many locations; over MPI, what was started"),
    number<&options::threads>("SHEAF_THREADS", 1, 1024, "locations of each process"),
    choice<&options::statistics, false, true>("SHEAF_STATISTICS", "print what was counted when the job ends"),
    text<&options::trace>("SHEAF_TRACE", "the folder that a record of the job is written to; empty: none is"),
    number<&options::trace_bytes>("SHEAF_TRACE_BYTES", 4096, 1024 * gibi,
                                  "bytes for each location's events in the trace"),
    number<&options::seed>("SHEAF_SEED", 0, std::numeric_limits<std::uint64_t>::max(), "sim: the schedule"),
    choice<&options::progress, progress_kind::inlined, progress_kind::shared, progress_kind::helper,
           progress_kind::hand_over>("SHEAF_PROGRESS", "who moves messages while a location computes"),
    number<&options::helpers>("SHEAF_HELPERS", 1, 64, "helper threads of each location"),
    number<&options::buffer_bytes>("SHEAF_BUFFER_BYTES", 128, gibi, "the largest buffer that aggregation fills"),
    number<&options::window>("SHEAF_WINDOW", 1, mebi, "buffers under way per ordered pair and class"),
    number<&options::reserve_bytes>("SHEAF_RESERVE_BYTES", 1, 1024 * gibi,
                                    "what a location may hold back unsent before it stops executing"),
    number<&options::buffer_budget>("SHEAF_BUFFER_BUDGET_BYTES", 1, 1024 * gibi,
                                    "what the locations of a process may fill in buffers, and have under way"),
    choice<&options::host_memory, false, true>(
        "SHEAF_HOST_MEMORY", "over MPI: processes of one host reach each other through memory that they share"),
    choice<&options::pin, false, true>("SHEAF_PIN", "bind threads to cores when there is one for each"),
    text<&options::mpi_library, true>("SHEAF_MPI", "the wire module that finds the processes; empty: the launcher's"),
    text<&options::wire, true>("SHEAF_WIRE", "the wire module that carries packets between hosts; empty: the same"),
    number<&options::watchdog_ms, true>("SHEAF_WATCHDOG_MS", 0, 86'400'000,
                                        "rest until a look for a deadlock; 0: never"),
    number<&options::heartbeat_limit_s, true>("SHEAF_HEARTBEAT_LIMIT_S", 0, 86400,
                                              "a process that is silent so long is lost; 0: none is watched"),
    number<&options::finish_limit_s>("SHEAF_FINISH_LIMIT_S", 0, 86400,
                                     "what the end of a job may take when all work is done; 0: no limit"),
    number<&options::hosts>("options::hosts", 0, 65536),
    choice<&options::timed, false, true>("options::timed"),
    number<&options::stack_bytes>("options::stack_bytes", 16384, gibi),
    number<&options::nesting_limit>("options::nesting_limit", 0, 1024),
    number<&options::first_flush_bytes>("options::first_flush_bytes", 1, gibi),
    number<&options::near_buffer_bytes>("options::near_buffer_bytes", 128, gibi),
    number<&options::near_first_flush_bytes>("options::near_first_flush_bytes", 1, gibi),
    number<&options::ring_slots>("options::ring_slots", 1, mebi),
    number<&options::poll_every>("options::poll_every", 1, gibi),
    number<&options::flush_age_ns>("options::flush_age_ns", 0, std::uint64_t{1} << 62),
    number<&options::poll_warning_ms>("options::poll_warning_ms", 0, 86'400'000),
    number<&options::spin_polls>("options::spin_polls", 1, gibi),
    number<&options::yield_polls>("options::yield_polls", 1, gibi),
    number<&options::mpi_every>("options::mpi_every", 1, mebi),
    choice<&options::fence_form, fence_form_kind::automatic, fence_form_kind::tree, fence_form_kind::dissemination>(
        "options::fence_form"),
    choice<&options::path, route_kind::automatic, route_kind::direct, route_kind::ring, route_kind::hypercube,
           route_kind::dissemination, route_kind::grid, route_kind::node_wise>("options::path"),
    number<&options::tree_arity>("options::tree_arity", 1, 65536),
    choice<&options::report_signals, false, true>("options::report_signals"),
};

/// Whether one word becomes the other by one letter that is put in, left out or replaced, or by two that change places.
bool nearly_same(std::string_view a, std::string_view b) {
  if (a == b) return false;
  if (a.size() > b.size()) std::swap(a, b);
  auto const differ = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  if (a.size() + 1 == b.size()) return a.substr(differ) == b.substr(differ + 1);
  if (a.size() != b.size()) return false;
  if (a.substr(differ + 1) == b.substr(differ + 1)) return true;
  return a.size() >= differ + 2 && a[differ] == b[differ + 1] && a[differ + 1] == b[differ] &&
         a.substr(differ + 2) == b.substr(differ + 2);
}

/// Whether a variable of this name is taken for the setting: misspelt, without its unit, or for a field that has none.
bool is_meant(std::string_view name, setting const& row) {
  constexpr std::string_view prefix = "SHEAF_", of_a_field = "options::";
  std::string_view const its = row.name;
  if (row.is_variable()) {
    bool const begins = name.size() > prefix.size() && name.size() < its.size() && its.starts_with(name);
    return nearly_same(name, its) || (begins && its[name.size()] == '_');
  }
  auto const same_letter = [](char a, char b) { return a == std::toupper(static_cast<unsigned char>(b)); };
  std::string_view const field = its.substr(of_a_field.size());
  return name.starts_with(prefix) &&
         std::equal(name.begin() + prefix.size(), name.end(), field.begin(), field.end(), same_letter);
}

}  // namespace

std::string setting::legal() const {
  if (high == 0) return words();
  return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

std::span<setting const> all_settings() { return table; }

void refuse(setting const& row, std::string_view value) {
  throw option_error("sheaf: " + std::string(row.name) + " is '" + std::string(value) + "'; it must be " + row.legal() +
                     ". Set it so, or unset it for the default.");
}

void refuse_misspelt() {
  for (char const* const* at = environ; at != nullptr && *at != nullptr; ++at) {
    std::string_view const name = std::string_view(*at).substr(0, std::string_view(*at).find('='));
    auto const is_it = [&](setting const& row) { return row.is_variable() && row.name == name; };
    auto const* const meant = std::ranges::find_if(table, [&](setting const& row) { return is_meant(name, row); });
    if (meant == std::end(table) || std::any_of(std::begin(table), std::end(table), is_it)) continue;
    throw option_error("sheaf: the variable " + std::string(name) + " is set but is no setting; did you mean " +
                       meant->name +
                       (meant->is_variable() ? "? Correct its name, or unset it."
                                             : "? Set that in the program, or unset the variable."));
  }
}

char const* variable(char const* name) {
  char const* const text = std::getenv(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

}  // namespace sheaf::detail
