// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/base/options.hpp"
#include "sheaf/transport/launch.hpp"

namespace sheaf {

/// Where a simulation takes its decisions from. Equal answers give an equal run.
class schedule {
 public:
  virtual ~schedule() = default;

  /// A number below `alternatives`, which is at least 2.
  virtual std::uint32_t choose(std::uint32_t alternatives) = 0;

  /// How to have the same decisions again, as a word or two for people; shown beside failures.
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

/// Given decisions, then each alternative in turn.
class replay_schedule final : public schedule {
 public:
  explicit replay_schedule(std::vector<std::uint32_t> choices) noexcept : choices_(std::move(choices)) {}
  /// From `text()`. Throws option_error at anything else.
  explicit replay_schedule(std::string_view choices);
  [[nodiscard]] std::string text() const;  ///< the numbers with dots between, as `explore` reports them
  std::uint32_t choose(std::uint32_t alternatives) override;
  [[nodiscard]] std::string describe() const override;

 private:
  std::vector<std::uint32_t> choices_;
  std::size_t taken_ = 0;
};

/// How the next step is taken from those possible. A run of a location ends where it calls `idle`.
enum class play : std::uint8_t {
  mixed,         ///< one of those below but `plain`, drawn at the start
  plain,         ///< every step one decision, a fixed delay, nothing else drawn: what `explore` enumerates
  uniform,       ///< any step, equally likely
  oldest_first,  ///< mostly in order
  newest_first,  ///< mostly what became possible last
  priorities,    ///< by priorities of locations and links, redrawn now and then (probabilistic concurrency testing)
  slow_one       ///< one location, drawn at the start, hardly runs and hardly receives
};

/// A simulated job. A step lets a location run until it calls `idle` (or loses its core at a send or
/// receive), or lets the next entry of a pair and class arrive, or lets a sender know of one consumed entry. All steps
/// that are possible compete; the order within a pair and class is kept.
///
/// A location that calls `idle` waits, whatever `round` is, until an entry arrives, a credit comes on a pair where a
/// send was refused or the backlog asked for since the last credit, or its deadline has passed. It does not wait if one
/// of these happened or it received something since the last `idle` returned. So a message layer that idles while it
/// has something to do is found as a deadlock, exactly when nothing can happen any more.
struct simulation {
  options job;  ///< locations, buffer and window sizes …; `resolved` is applied to it
  play order = play::mixed;
  unsigned preemptions = 0;       ///< with `plain`: at how many sends and receives each location may lose its core
  std::uint64_t step_limit = 0;   ///< a longer run is a livelock; 0: 10^9, in `explore` 10^5
  std::uint64_t quiet_limit = 0;  ///< so many steps in which nothing was sent or arrived, too; 0: 10^6
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
  std::uint64_t virtual_ns = 0;  ///< the clock at the end
  std::uint64_t trace = 0;       ///< a hash of every step, send and size: equal for equal runs
};

/// What a simulator holds. By this formula, stacks apart:
///   bytes() = locations·per_location + links·per_link + slots·8 + entries·per_entry + block_bytes
/// `slots` is at most 4 per link, so a location that sends to k others in c classes costs at most per_location +
/// k·c·(per_link + 32), and nothing that grows with the number of locations; links and entries are made 32 at a time. A
/// stack costs the pages it has touched (at least one) and address space of stack_bytes plus a guard page.
struct simulation_memory {
  std::uint64_t locations = 0;
  std::uint64_t links = 0;        ///< ordered pairs and classes used
  std::uint64_t slots = 0;        ///< of the tables from destination to link
  std::uint64_t entries = 0;      ///< the most that were on their way at once
  std::uint64_t block_bytes = 0;  ///< buffers, the most in use at once, each rounded up to a power of two
  std::uint64_t per_location = 0;
  std::uint64_t per_link = 0;
  std::uint64_t per_entry = 0;

  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return locations * per_location + links * per_link + slots * 8 + entries * per_entry + block_bytes;
  }
};

namespace detail {
class scheduler;
}

/// Plays jobs with the same settings one after another in the calling thread and keeps stacks and blocks between them.
/// Simulators do not know of each other; a simulated location may run a simulator itself.
class simulator {
 public:
  /// Throws option_error where a setting is illegal or the machine cannot map the stacks.
  explicit simulator(simulation const& settings);
  ~simulator();
  simulator(simulator const&) = delete;
  simulator& operator=(simulator const&) = delete;

  /// Runs `body` on every location until all have returned. Unlike other launchers it takes an exception that leaves
  /// `body`, as the failure of its location. Not to be called while a job of this simulator runs.
  simulation_result run(schedule& decisions, location_body& body);

  [[nodiscard]] simulation_memory memory() const noexcept;

 private:
  std::unique_ptr<detail::scheduler> scheduler_;
};

/// One job. What `launch_simulator` does with `random_schedule(settings.seed)` and `play::mixed`; it writes the replay
/// command of a job that a location failed to stderr (the text of a deadlock has it).
simulation_result simulate(simulation const& settings, schedule& decisions, location_body& body);

/// A program run many times: each time `begin`, `run` on every location, and `check` if all returned.
class repeated_body : public location_body {
 public:
  virtual void begin() = 0;  ///< forgets the last run
  virtual void check() {}    ///< throws what is wrong with the results of this run
};

/// What came of many runs.
struct exploration {
  bool complete = false;        ///< every schedule was run
  std::uint64_t schedules = 0;  ///< runs that differ in what some location saw
  std::uint64_t repeated = 0;   ///< runs that turned out to repeat another
  bool failed = false;          ///< a run did not end as finished, or `check` threw; no further one was made
  std::string text;             ///< of the failure, with how to replay it
  std::string choices;          ///< `explore`: for replay_schedule, with play::plain and the same other settings
  std::uint64_t seed = 0;       ///< `sample`: of the failing run
};

/// Runs every schedule of a small program depth first, until one fails or `limit` runs were made. Of schedules that
/// only exchange neighbouring steps of different locations one is run (sleep sets): they look the same to every
/// location, as long as the program does not look at the clock or at what locations share. `settings.order` is taken as
/// `plain`. The program must be deterministic; a run that is not is reported as a failure.
exploration explore_body(simulation const& settings, repeated_body& body, std::uint64_t limit);

/// Runs the schedules of `count` seeds from `first_seed` on, until one fails.
exploration sample_body(simulation const& settings, repeated_body& body, std::uint64_t first_seed, std::uint64_t count);

/// What to put before a command to have this job again: `SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=…`, every setting that
/// differs from its default, and the seed.
std::string replay_command(options const& job);

namespace detail {

/// A body made anew for each run by a callable; the body has `run(endpoint&)` and may have `check()`.
template <class MakeBody>
class made_body final : public repeated_body {
  using body = decltype(std::declval<MakeBody&>()());

 public:
  explicit made_body(MakeBody& make) : make_(make) {}
  void begin() override { body_ = std::make_unique<body>(make_()); }
  void run(endpoint& connection) override { body_->run(connection); }
  void check() override {
    if constexpr (requires(body & b) { b.check(); }) body_->check();
  }

 private:
  MakeBody& make_;
  std::unique_ptr<body> body_;
};

}  // namespace detail

/// explore_body for `make_body()`, which returns by value an object with `run(endpoint&)` and, if wanted, `check()`.
template <class MakeBody>
exploration explore(simulation const& settings, MakeBody make_body, std::uint64_t limit) {
  detail::made_body<MakeBody> body(make_body);
  return explore_body(settings, body, limit);
}

/// sample_body for `make_body()`, as in `explore`.
template <class MakeBody>
exploration sample(simulation const& settings, MakeBody make_body, std::uint64_t first_seed, std::uint64_t count) {
  detail::made_body<MakeBody> body(make_body);
  return sample_body(settings, body, first_seed, count);
}

}  // namespace sheaf
