// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sheaf {

/// What connects the locations of a job. `automatic`: MPI when started by mpirun or srun, else threads. `hybrid`:
/// threads within each process, MPI between processes; what `mpi` and `automatic` become where a process has several
/// threads.
enum class transport_kind : std::uint8_t { automatic, thread, sim, mpi, hybrid };

/// Which messages a fence and a barrier consist of. `tree`: sums go up a tree of `tree_arity` children each, the result
/// comes down. `dissemination`: ceil(log2 n) rounds in which each member sends one message; the shortest path.
/// `automatic`: a flat tree where locations outnumber the cores of their host, else dissemination.
enum class fence_form_kind : std::uint8_t { automatic, tree, dissemination };

/// What is done about limits and memory that look too small for a job, before it starts. `warn`: one warning for each,
/// and an error where the job could not run at all; `strict`: any is an error; `off`: no check.
enum class preflight_kind : std::uint8_t { warn, off, strict };

/// Whether the processes of an MPI job watch each other. `automatic`: where they are on several hosts.
enum class heartbeat_kind : std::uint8_t { automatic, off, on };
/// Who moves a location's messages while it computes. `inlined`: nobody. `shared`: nobody, but threads of the program's
/// own may attach to it. `helper`: threads of the library's. `hand_over`: the locations of its process that wait. Under
/// all but the first, methods that are declared concurrent may run on another thread than their location's.
enum class progress_kind : std::uint8_t { inlined, shared, helper, hand_over };

/// Every setting of a job in one object. A field set to 0 (or `automatic`) takes the default of the transport in use,
/// which `resolved` fills in. Each field but `communicator` can be set from outside by the variable named beside it.
struct options {
  static constexpr unsigned of_transport = ~0U;  ///< watchdog_ms: 2000, and 0 (off) in the simulator, which needs none

  transport_kind transport = transport_kind::automatic;  ///< SHEAF_TRANSPORT = auto | thread | sim | mpi | hybrid
  unsigned locations = 0;  ///< SHEAF_LOCATIONS: 1…65536; 0: the cores this process may use (mpi: the ranks)
  unsigned threads = 0;    ///< SHEAF_THREADS: 1…1024: locations of each process; hybrid: 0: its share of cores
  unsigned hosts = 0;      ///< SHEAF_HOSTS: 0…65536: sim: hosts of neighbouring processes; 0: it tells none apart
  unsigned mpi_every = 0;  ///< SHEAF_MPI_EVERY: 1…2^20: turns of a location of `hybrid` between looks at MPI
  std::size_t buffer_bytes = 0;       ///< SHEAF_BUFFER_BYTES: 128…2^30: the largest buffer that aggregation fills
  std::size_t first_flush_bytes = 0;  ///< SHEAF_FIRST_FLUSH_BYTES: the first size to flush at; ≥ buffer_bytes: it stays
  std::size_t near_buffer_bytes = 0;       ///< SHEAF_NEAR_BUFFER_BYTES: as buffer_bytes, within a host; not of `thread`
  std::size_t near_first_flush_bytes = 0;  ///< SHEAF_NEAR_FIRST_FLUSH_BYTES: as first_flush_bytes, likewise
  unsigned ring_slots = 0;        ///< SHEAF_RING_SLOTS: 1…2^20: entries in flight per ordered pair and traffic class
  unsigned window = 0;            ///< SHEAF_WINDOW: 1…2^20: buffers in flight per ordered pair and traffic class
  std::size_t reserve_bytes = 0;  ///< SHEAF_RESERVE_BYTES: what may wait unsent here before execution stops
  std::size_t buffer_budget = 0;  ///< SHEAF_BUFFER_BUDGET: bytes of buffers that a process fills, and has in flight
  unsigned nesting_limit = 64;    ///< SHEAF_NESTING_LIMIT: 0…1024: handlers that may wait on one location's stack
  fence_form_kind fence_form = fence_form_kind::automatic;  ///< SHEAF_FENCE_FORM = auto | tree | dissemination
  unsigned tree_arity = 0;         ///< SHEAF_TREE_ARITY: 1…65536: children per member in trees of collectives
  unsigned poll_every = 1024;       ///< SHEAF_POLL_EVERY: 1…2^30: requests to one destination between two polls
  std::uint64_t flush_age_ns = 0;  ///< SHEAF_FLUSH_AGE_NS: age at which open buffers are sent; 0: by SHEAF_PROGRESS
  progress_kind progress = progress_kind::inlined;  ///< SHEAF_PROGRESS = inline | shared | helper | hand_over
  unsigned helpers = 1;  ///< SHEAF_HELPERS: 1…64: helper threads of each location; all run concurrent methods
  unsigned poll_warning_ms = 10'000;    ///< SHEAF_POLL_WARNING_MS: warn when requests wait that long; 0: never
  unsigned spin_polls = 0;              ///< SHEAF_SPIN_POLLS: empty polls before a waiting location yields its core
  unsigned yield_polls = 0;             ///< SHEAF_YIELD_POLLS: yields before it sleeps
  bool pin = true;                      ///< SHEAF_PIN: bind threads to cores when there is a core for each
  bool report_signals = true;           ///< SHEAF_REPORT_SIGNALS: name the location that a SIGSEGV or the like ends
  bool host_memory = true;              ///< SHEAF_HOST_MEMORY: over MPI: within a host by shared memory
  unsigned watchdog_ms = of_transport;  ///< SHEAF_WATCHDOG: 0…86400000: ms of rest until a look whether all stand still
  bool statistics = false;              ///< SHEAF_STATISTICS: print what was counted when the job ends
  bool report_usr1 = true;              ///< SHEAF_REPORT_USR1: SIGUSR1 prints what each location does
  preflight_kind preflight = preflight_kind::warn;  ///< SHEAF_PREFLIGHT = off | warn | strict
  std::uint64_t seed = 1;                           ///< SHEAF_SEED: the simulator's schedule
  std::size_t stack_bytes = 0;  ///< SHEAF_STACK_BYTES: stack of a simulated location, 16 KiB…1 GiB
  std::string trace;            ///< SHEAF_TRACE: the folder that a record of the job is written to; empty: none is
  std::size_t trace_bytes = 0;  ///< SHEAF_TRACE_BYTES: 4096…2^40: events of each location; more are dropped
  void const* communicator = nullptr;  ///< the address of an MPI_Comm: the job is of its processes; null: of all
  std::string mpi_library;             ///< SHEAF_MPI: the wire module that finds the processes; empty: the launcher's
  std::string wire;                    ///< SHEAF_WIRE: the one that carries packets between hosts; empty: the same
  heartbeat_kind heartbeat = heartbeat_kind::automatic;  ///< SHEAF_HEARTBEAT = auto | off | on
  unsigned heartbeat_limit_s = 0;  ///< SHEAF_HEARTBEAT_LIMIT: 1…86400 s: who is silent so long is lost; 0: 30 s
  unsigned finish_limit_s = 60;    ///< SHEAF_FINISH_LIMIT: 0…86400 s that the library's end may take; 0: no limit

  /// The defaults, overridden by the SHEAF_* variables that are set. Throws option_error naming the variable, its
  /// value and the legal interval; also where a variable's name is one letter away from one of these.
  static options from_environment();

  /// A copy in which every 0 has become the default for `transport` (which must not be automatic) and `locations`; over
  /// mpi `locations` and `spin_polls` stay open until the processes have met.
  /// Throws option_error where two settings contradict each other.
  [[nodiscard]] options resolved() const;
};

/// Variables with their values.
using setting_list = std::vector<std::pair<std::string, std::string>>;

/// The settings in which a job differs from a plain one over the same transport, with as many locations and the same
/// seed. With these, SHEAF_TRANSPORT, SHEAF_LOCATIONS and SHEAF_SEED a job can be had again.
setting_list changed_from_default(options const& job);

/// The names used by the variables.
char const* name(transport_kind kind) noexcept;
char const* name(fence_form_kind kind) noexcept;
char const* name(progress_kind kind) noexcept;
char const* name(preflight_kind kind) noexcept;
char const* name(heartbeat_kind kind) noexcept;

}  // namespace sheaf
