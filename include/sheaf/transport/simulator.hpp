// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sheaf/base/options.hpp"
#include "sheaf/transport/launch.hpp"

namespace sheaf {

/// The source of a simulation's decisions. Equal decisions give an equal run.
class schedule {
 public:
  virtual ~schedule() = default;

  /// A number below `alternatives`, which is at least 2.
  virtual std::uint32_t choose(std::uint32_t alternatives) = 0;

  /// How to repeat the decisions, in a word or two for people; shown beside failures.
  [[nodiscard]] virtual std::string describe() const = 0;
};

/// Decisions drawn uniformly from a seed; the same on every machine.
class random_schedule final : public schedule {
 public:
  explicit random_schedule(std::uint64_t seed) noexcept : seed_(seed), state_(seed) {}
  std::uint32_t choose(std::uint32_t alternatives) override;
  [[nodiscard]] std::string describe() const override;

 private:
  std::uint64_t seed_;
  std::uint64_t state_;
};

/// How the next step is taken from those possible. A run of a location ends where it calls `idle`.
enum class play : std::uint8_t {
  mixed,         ///< one of those below but `plain` and `timed`, drawn at the start
  plain,         ///< one decision per step, a fixed delay, nothing else is drawn
  uniform,       ///< any step, equally likely
  oldest_first,  ///< mostly in order
  newest_first,  ///< mostly what became possible last
  priorities,    ///< by priorities of locations and links, redrawn now and then (probabilistic concurrency testing)
  slow_one,      ///< one location, drawn at the start, hardly runs and hardly receives
  timed          ///< the earliest step under the costs that `loggp` states; no decisions are drawn
};

/// What entries cost in a timed play: the parameters of LogGP (A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman,
/// LogGP: Incorporating Long Messages into the LogP Model, SPAA 1995). The same for every pair, near and to itself,
/// too. The paper's limit on messages under way is here the job's: `window` and `ring_slots`. The defaults are those of
/// no machine in particular; of a network of 100 Gbit/s in size.
struct loggp {
  std::uint64_t latency_ns = 1000;  ///< L: of a byte from one interface to another, and of a credit on its way back
  std::uint64_t overhead_ns = 200;  ///< o: of the location that sends an entry, and of the one that receives it
  std::uint64_t gap_ns = 50;        ///< g: at the least between two entries that one interface sends, or takes in
  std::uint64_t byte_ps = 80;       ///< G: of each byte at an interface, in picoseconds

  /// How long an entry of so many bytes takes to pass an interface; rounded up.
  [[nodiscard]] constexpr std::uint64_t transfer_ns(std::uint64_t bytes) const noexcept {
    return (bytes * byte_ps + 999) / 1000;
  }
};

/// A simulated job. A step lets a location run until it calls `idle` (or loses its core at a send or receive), or lets
/// the next entry of a pair and class arrive, or lets a sender know of one consumed entry. All possible steps compete;
/// the order within a pair and class is kept.
///
/// Other threads of a location (SHEAF_PROGRESS) are fibers, too, which run in steps of their own and may lose their
/// core where they send, receive, enter or leave the gate.
///
/// A location that calls `idle` waits, whatever `round` is, until an entry arrives, a credit comes on a pair where a
/// send was refused or the backlog asked for since the last credit, or its deadline has passed; or not at all, if one
/// of these happened or it received something since the last `idle`. So a message layer that idles while it has
/// something to do is found as a deadlock, exactly when nothing can happen any more.
///
/// In a timed play each location has a clock, which its endpoint's now() shows, and which is what a machine with these
/// costs would show. A send takes o. The entry leaves then, or once its sender's interface is free, which it keeps
/// busy for g, or G for each byte if that is more. L later its first byte is at the receiver's interface, which takes
/// it in as soon as it is free, and as slowly. With its last byte it has arrived; to receive it takes o. What the
/// program computes takes what it states by `charge`. Looks at the clock and polls are free, but so that loops on them
/// end: every 64th receive in a row that finds nothing takes 50 ns, a second look at the same time 5 ns. Threads of a
/// location share its clock. A location loses its core only where something earlier may concern it.
///
/// Between declared hosts (options::hosts) each message of the side wire is a step of its own, in order for each pair
/// of processes, that hands it to the receiver's server: a fiber is not needed for that. What such a server sends then
/// costs no o, and uses the interface of the process's first location, as all that comes does. Messages that were sent
/// before the last location returned still arrive.
struct simulation {
  static constexpr std::uint64_t first_ns = 1000;  ///< what clocks show when a job begins

  options job;  ///< locations, buffer and window sizes …; `resolved` is applied to it
  play order = play::mixed;
  unsigned preemptions = 0;       ///< with `plain`: at how many sends and receives each location may lose its core
  std::uint64_t step_limit = 0;   ///< a longer run is a livelock; 0: 10^9
  std::uint64_t quiet_limit = 0;  ///< so is one with so many steps without a send, arrival or charge; 0: 10^6
  loggp costs{};                  ///< of a timed play
};

/// How a simulated job ended.
enum class ending : std::uint8_t {
  finished,  ///< every location returned
  failed,    ///< a location called fail or let an exception out
  deadlock,  ///< nobody could run, nothing travelled, no deadline was waited for
  livelock   ///< a limit on steps was passed
};

/// What came of one simulated job.
struct simulation_result {
  ending how = ending::finished;
  std::string text;  ///< what went wrong, where, and how to replay it; empty when finished
  std::uint64_t steps = 0;
  std::uint64_t entries = 0;     ///< sent
  std::uint64_t dropped = 0;     ///< of these, never delivered
  std::uint64_t virtual_ns = 0;  ///< the clock at the end; the latest one of all locations in a timed play
  std::uint64_t trace = 0;       ///< a hash of every step, send and size: equal for equal runs
};

namespace detail {
class scheduler;
}

/// Plays jobs with the same settings one after another in the calling thread and keeps stacks and blocks between them.
/// What it holds grows with the locations and the pairs that talk, not with their square; a stack costs the pages it
/// has touched and address space of stack_bytes plus a page. A simulated location may run a simulator itself.
class simulator {
 public:
  /// Throws option_error where a setting is illegal or the machine cannot map the stacks.
  explicit simulator(simulation const& settings);
  ~simulator();
  simulator& operator=(simulator&&) = delete;

  /// Runs `body` on every location until all have returned. An exception that leaves `body` is the failure of its
  /// location. Not to be called while a job of this simulator runs.
  simulation_result run(schedule& decisions, location_body& body);

 private:
  std::unique_ptr<detail::scheduler> scheduler_;
};

/// One job. What `launch_simulator` does with `random_schedule(settings.seed)` and `play::mixed`; it writes the replay
/// command of a job that a location failed to stderr (the text of a deadlock has it).
simulation_result simulate(simulation const& settings, schedule& decisions, location_body& body);

/// Adds computing time to the clock of the simulated location that calls it, on any of its threads. Lets nobody else
/// run. Does nothing in other plays and outside of a simulator, so that a program may state its costs wherever it runs.
void charge(std::uint64_t ns) noexcept;

/// What to put before a command to repeat this job: `SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=…`, every variable that
/// differs from its default, and the seed; then, behind "with", fields of options that the program must set.
std::string replay_command(options const& job);

}  // namespace sheaf
