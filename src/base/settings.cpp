// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/settings.hpp"

#include <unistd.h>

#include <algorithm>
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
template <class Kind>
char const* word(Kind kind) {
  return name(kind);
}

/// "a, b or c".
std::string join(std::vector<char const*> const& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

/// A whole number. A field whose interval starts above 0 may also be 0, which stands for its default; the variable may
/// not.
template <auto Field>
constexpr setting number(char const* variable, std::uint64_t low, std::uint64_t high, char const* meaning) {
  setting row{variable, meaning, low, high};
  row.value = [](options const& o) { return std::to_string(o.*Field); };
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
constexpr setting choice(char const* variable, char const* meaning) {
  setting row{variable, meaning};
  row.words = [] { return join({word(Kinds)...}); };
  row.value = [](options const& o) { return std::string(word(o.*Field)); };
  row.assign = [](options& o, setting const&, std::string_view text) {
    return ((text == word(Kinds) && (o.*Field = Kinds, true)) || ...);
  };
  return row;
}

template <auto Field>
constexpr setting folder(char const* variable, char const* meaning) {
  setting row{variable, meaning};
  row.words = [] { return std::string("a folder"); };
  row.value = [](options const& o) { return o.*Field; };
  row.assign = [](options& o, setting const&, std::string_view text) {
    o.*Field = text;
    return true;
  };
  return row;
}

/// X of a file libsheaf_wire_X.so.
template <auto Field>
constexpr setting wire_module(char const* variable, char const* meaning) {
  setting row = folder<Field>(variable, meaning);
  row.words = [] { return std::string("openmpi, mpich or the name of another wire module"); };
  row.assign = [](options& o, setting const&, std::string_view text) {
    constexpr char const* of_a_name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (text.empty() || text.find_first_not_of(of_a_name) != text.npos) return false;
    o.*Field = text;
    return true;
  };
  return row;
}

/// Read by the loader of wire modules itself; not in the object.
constexpr setting wire_folder() {
  setting row{"SHEAF_WIRE_DIR", "where to look first for the wire modules, libsheaf_wire_*.so"};
  row.words = [] { return std::string("a folder"); };
  row.value = [](options const&) {
    char const* const named = variable("SHEAF_WIRE_DIR");
    return std::string(named != nullptr ? named : "");
  };
  row.assign = [](options&, setting const&, std::string_view) { return true; };
  return row;
}

constexpr setting watchdog() {
  setting row = number<&options::watchdog_ms>("SHEAF_WATCHDOG", 0, 86'400'000,
                                              "milliseconds between looks whether all stand still; 0: never");
  row.value = [](options const& o) {
    return o.watchdog_ms == o.of_transport ? std::string() : std::to_string(o.watchdog_ms);
  };
  return row;
}

using enum transport_kind;
constexpr setting table[] = {
    choice<&options::transport, automatic, thread, sim, mpi, hybrid>(
        "SHEAF_TRANSPORT", "what connects the locations; auto: mpi under an MPI launcher, else thread"),
    number<&options::locations>("SHEAF_LOCATIONS", 1, 65536, "how many locations; over MPI, what was started"),
    number<&options::threads>("SHEAF_THREADS", 1, 1024, "locations of each process"),
    number<&options::hosts>("SHEAF_HOSTS", 0, 65536, "sim: hosts of neighbouring processes; 0: none are told apart"),
    number<&options::buffer_bytes>("SHEAF_BUFFER_BYTES", 128, gibi, "the largest buffer that aggregation fills"),
    number<&options::first_flush_bytes>("SHEAF_FIRST_FLUSH_BYTES", 1, gibi, "the first size to flush a buffer at"),
    number<&options::near_buffer_bytes>("SHEAF_NEAR_BUFFER_BYTES", 128, gibi,
                                        "between processes: SHEAF_BUFFER_BYTES within a host"),
    number<&options::near_first_flush_bytes>("SHEAF_NEAR_FIRST_FLUSH_BYTES", 1, gibi,
                                             "between processes: SHEAF_FIRST_FLUSH_BYTES within a host"),
    number<&options::mpi_every>("SHEAF_MPI_EVERY", 1, mebi, "hybrid: turns of a location between two looks at MPI"),
    number<&options::ring_slots>("SHEAF_RING_SLOTS", 1, mebi, "entries under way per ordered pair and class"),
    number<&options::window>("SHEAF_WINDOW", 1, mebi, "buffers under way per ordered pair and class"),
    number<&options::reserve_bytes>("SHEAF_RESERVE_BYTES", 1, 1024 * gibi,
                                    "what a location may hold back unsent before it stops executing"),
    number<&options::buffer_budget>("SHEAF_BUFFER_BUDGET", 1, 1024 * gibi,
                                    "bytes of buffers that the locations of a process may fill, and have under way"),
    number<&options::nesting_limit>("SHEAF_NESTING_LIMIT", 0, 1024, "methods that may wait at a time on a location"),
    number<&options::tree_arity>("SHEAF_TREE_ARITY", 1, 65536, "children per member in the trees of collectives"),
    number<&options::poll_every>("SHEAF_POLL_EVERY", 1, gibi, "requests to one destination between two polls"),
    number<&options::flush_age_ns>("SHEAF_FLUSH_AGE_NS", 0, std::uint64_t{1} << 62,
                                   "nanoseconds after which open buffers are sent; 0: never by age"),
    watchdog(),
    number<&options::helpers>("SHEAF_HELPERS", 1, 64, "helper threads of each location"),
    number<&options::poll_warning_ms>("SHEAF_POLL_WARNING_MS", 0, 86'400'000,
                                      "milliseconds that requests may wait unseen before a warning; 0: no warning"),
    number<&options::spin_polls>("SHEAF_SPIN_POLLS", 1, gibi, "empty polls before a waiting location yields"),
    number<&options::yield_polls>("SHEAF_YIELD_POLLS", 1, gibi, "yields before a waiting location sleeps"),
    number<&options::seed>("SHEAF_SEED", 0, std::numeric_limits<std::uint64_t>::max(), "sim: the schedule"),
    number<&options::trace_bytes>("SHEAF_TRACE_BYTES", 4096, 1024 * gibi, "events of each location in the trace"),
    number<&options::stack_bytes>("SHEAF_STACK_BYTES", 16384, gibi, "sim: the stack of a location"),
    number<&options::heartbeat_limit_s>("SHEAF_HEARTBEAT_LIMIT", 1, 86400,
                                        "seconds after which a process that is silent is lost"),
    number<&options::finish_limit_s>("SHEAF_FINISH_LIMIT", 0, 86400,
                                     "seconds that the end of a job may take when all work is done; 0: no limit"),
    choice<&options::fence_form, fence_form_kind::automatic, fence_form_kind::tree, fence_form_kind::dissemination>(
        "SHEAF_FENCE_FORM", "the messages of a fence and a barrier"),
    choice<&options::progress, progress_kind::inlined, progress_kind::shared, progress_kind::helper,
           progress_kind::hand_over>("SHEAF_PROGRESS", "who moves messages while a location computes"),
    choice<&options::host_memory, false, true>(
        "SHEAF_HOST_MEMORY", "over MPI: processes of one host reach each other through memory that they share"),
    choice<&options::pin, false, true>("SHEAF_PIN", "bind threads to cores when there is one for each"),
    choice<&options::report_signals, false, true>("SHEAF_REPORT_SIGNALS",
                                                  "name the location that a SIGSEGV or the like ends"),
    choice<&options::statistics, false, true>("SHEAF_STATISTICS", "print what was counted when the job ends"),
    choice<&options::report_usr1, false, true>("SHEAF_REPORT_USR1", "SIGUSR1 prints what each location does"),
    choice<&options::preflight, preflight_kind::off, preflight_kind::warn, preflight_kind::strict>(
        "SHEAF_PREFLIGHT", "check limits and memory before a job starts; strict: a finding is an error"),
    choice<&options::heartbeat, heartbeat_kind::automatic, heartbeat_kind::off, heartbeat_kind::on>(
        "SHEAF_HEARTBEAT", "over MPI: processes watch each other; auto: where they are on several hosts"),
    folder<&options::trace>("SHEAF_TRACE", "the folder that a record of the job is written to; empty: none is"),
    wire_module<&options::mpi_library>("SHEAF_MPI", "the wire module that finds the processes; empty: the launcher's"),
    wire_module<&options::wire>("SHEAF_WIRE", "the wire module that carries packets between hosts; empty: the same"),
    wire_folder(),
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

}  // namespace

std::string setting::legal() const {
  if (high == 0) return words();
  return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

std::span<setting const> all_settings() { return table; }

void refuse(setting const& row, std::string_view value) {
  throw option_error("sheaf: " + std::string(row.variable) + " is '" + std::string(value) + "'; it must be " +
                     row.legal() + ". Set it so, or unset it for the default.");
}

void refuse_misspelt() {
  for (char const* const* at = environ; at != nullptr && *at != nullptr; ++at) {
    std::string_view const name = std::string_view(*at).substr(0, std::string_view(*at).find('='));
    auto const is_it = [&](setting const& row) { return row.variable == name; };
    auto const* const meant =
        std::find_if(std::begin(table), std::end(table), [&](auto& row) { return nearly_same(name, row.variable); });
    if (meant == std::end(table) || std::any_of(std::begin(table), std::end(table), is_it)) continue;
    throw option_error("sheaf: the variable " + std::string(name) + " is set and is no setting; " + meant->variable +
                       " is. Correct its name, or unset it.");
  }
}

char const* variable(char const* name) {
  char const* const text = std::getenv(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

}  // namespace sheaf::detail
