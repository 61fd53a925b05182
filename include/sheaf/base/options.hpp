// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/base/route.hpp"

namespace sheaf {

/// What connects the locations of a job. `automatic`: MPI when started by mpirun or srun, else threads. `hybrid`:
/// threads within processes, MPI between them; `mpi` and `automatic` become this with several threads in a process.
enum class transport_kind : std::uint8_t { automatic, thread, sim, mpi, hybrid };

/// The message pattern of fences and barriers. `tree`: sums go up a tree of `tree_arity` children each, the result
/// comes down. `dissemination`: ceil(log2 n) rounds in which each member sends one message; the lowest latency.
/// `automatic`: a flat tree where locations outnumber the cores of their host, else dissemination. For tests.
enum class fence_form_kind : std::uint8_t { automatic, tree, dissemination };

/// Who moves a location's messages while it computes. `inlined`: nobody. `shared`: nobody, but the program's own
/// threads may attach to it. `helper`: the library's threads. `hand_over`: the waiting locations of its process. Except
/// with `inlined`, a concurrent method may run on another thread than its location's.
enum class progress_kind : std::uint8_t { inlined, shared, helper, hand_over };

/// All settings of a job. `resolved` replaces a field that is 0 (or `automatic`) by the default of the transport in
/// use. A field with a SHEAF_* variable can be set from outside; the others are for tests and measurements.
struct options {
  static constexpr unsigned of_transport = ~0U;  ///< the default, for fields where 0 means "off"

  transport_kind transport = transport_kind::automatic;  ///< SHEAF_TRANSPORT = auto | thread | sim | mpi | hybrid
  unsigned locations = 0;       ///< SHEAF_LOCATIONS: 1…65536; 0: the cores this process may use (mpi: the ranks)
  unsigned threads = 0;         ///< SHEAF_THREADS: 1…1024: locations of each process; hybrid: 0: its share of cores
  bool statistics = false;      ///< SHEAF_STATISTICS: print what was counted when the job ends
  std::string trace;            ///< SHEAF_TRACE: the folder for the job's trace; empty: no trace is written
  std::size_t trace_bytes = 0;  ///< SHEAF_TRACE_BYTES: 4096…2^40: bytes of events per location; more are dropped
  std::uint64_t seed = 1;       ///< SHEAF_SEED: the simulator's schedule
  progress_kind progress = progress_kind::inlined;  ///< SHEAF_PROGRESS = inline | shared | helper | hand_over
  unsigned helpers = 1;          ///< SHEAF_HELPERS: 1…64: helper threads of each location; all run concurrent methods
  std::size_t buffer_bytes = 0;  ///< SHEAF_BUFFER_BYTES: 128…2^30: the largest buffer that aggregation fills
  unsigned window = 0;           ///< SHEAF_WINDOW: 1…2^20: buffers in flight per ordered pair and traffic class
  std::size_t reserve_bytes = 0;  ///< SHEAF_RESERVE_BYTES: 1…2^40: bytes that may wait unsent; above, execution stops
  std::size_t buffer_budget = 0;  ///< SHEAF_BUFFER_BUDGET_BYTES: 1…2^40: bytes of buffers that a process may hold
  bool host_memory = true;        ///< SHEAF_HOST_MEMORY: over MPI: use shared memory within a host
  bool pin = true;                ///< SHEAF_PIN: bind threads to cores when there is a core for each
  std::string mpi_library;        ///< SHEAF_MPI: the wire module that finds the processes; empty: the launcher's
  std::string wire;               ///< SHEAF_WIRE: the wire module between hosts; empty: that of SHEAF_MPI
  /// SHEAF_WATCHDOG_MS: 0…86400000: milliseconds at rest before a look for a deadlock; 0: never. Default 2000; sim 0.
  unsigned watchdog_ms = of_transport;
  /// SHEAF_HEARTBEAT_LIMIT_S: 0…86400: seconds after which a silent process of an MPI job counts as lost; 0: no process
  /// watches another. Default: 30 on several hosts, else 0.
  unsigned heartbeat_limit_s = of_transport;
  unsigned finish_limit_s = 60;  ///< SHEAF_FINISH_LIMIT_S: 0…86400: seconds that the job's end may take; 0: no limit

  // Without a variable.
  unsigned hosts = 0;                 ///< 0…65536: sim: hosts, each of adjacent processes; 0: none told apart
  bool timed = false;                 ///< sim: play::timed, with the costs of `loggp`, in place of a random schedule
  std::size_t stack_bytes = 0;        ///< 16 KiB…1 GiB: stack of a simulated location
  unsigned nesting_limit = 64;        ///< 0…1024: handlers that may wait on one location's stack
  std::size_t first_flush_bytes = 0;  ///< 1…2^30: the first size to flush at; ≥ buffer_bytes: it does not grow
  std::size_t near_buffer_bytes = 0;  ///< 128…2^30: buffer_bytes within a host; not used by `thread`
  std::size_t near_first_flush_bytes = 0;  ///< 1…2^30: first_flush_bytes within a host; not used by `thread`
  unsigned ring_slots = 0;                 ///< 1…2^20: entries in flight per ordered pair and traffic class
  unsigned poll_every = 1024;              ///< 1…2^30: requests to one destination between two polls
  std::uint64_t flush_age_ns = 0;          ///< 0…2^62: age at which open buffers are sent; 0: as `progress` needs it
  unsigned poll_warning_ms = 10'000;       ///< 0…86400000: warn when requests wait that long; 0: never
  unsigned spin_polls = 0;                 ///< 1…2^30: empty polls before a waiting location yields its core
  unsigned yield_polls = 0;                ///< 1…2^30: yields before it sleeps
  unsigned mpi_every = 0;                  ///< 1…2^20: hybrid: receives of a busy location between polls of MPI
  fence_form_kind fence_form = fence_form_kind::automatic;  ///< the messages of a fence and a barrier
  route_kind path = route_kind::automatic;                  ///< by which other locations requests go
  unsigned tree_arity = 0;                                  ///< 1…65536: children per member in trees of collectives
  bool report_signals = true;          ///< a crash names its location; SIGUSR1 reports what each location does
  bool threads_take_turns = false;     ///< threads of a process act for its location in turn: MPI is started for that
  void const* communicator = nullptr;  ///< the address of an MPI_Comm whose processes form the job; null: all do

  /// The defaults, overridden by the SHEAF_* variables. Throws option_error with the variable, its value and the legal
  /// interval; also for a name that is one letter off, lacks its unit, or is of a field without a variable.
  static options from_environment();

  /// A copy in which defaults for `transport` (not automatic) and `locations` replace every 0. Over mpi, `locations`,
  /// `spin_polls` and `heartbeat_limit_s` stay unresolved until the processes have met. Throws option_error where a
  /// field has no legal value, or two contradict each other.
  [[nodiscard]] options resolved() const;
};

/// Variables with their values; "options::X" stands for a field that has none.
using setting_list = std::vector<std::pair<std::string, std::string>>;

/// The settings in which a job differs from a plain one over the same transport, with as many locations and the same
/// seed. With these, SHEAF_TRANSPORT, SHEAF_LOCATIONS and SHEAF_SEED a job can be repeated.
setting_list changed_from_default(options const& job);

/// The names used by the variables.
char const* name(transport_kind kind) noexcept;
char const* name(fence_form_kind kind) noexcept;
char const* name(progress_kind kind) noexcept;

}  // namespace sheaf
