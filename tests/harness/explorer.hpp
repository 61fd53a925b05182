// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Programs played with every schedule, or with many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/transport/simulator.hpp"

namespace sheaf_test {

/// Given decisions, then each alternative in turn.
class replay_schedule final : public sheaf::schedule {
 public:
  explicit replay_schedule(std::vector<std::uint32_t> choices) noexcept : choices_(std::move(choices)) {}
  /// From `text()`. Throws std::invalid_argument at anything else.
  explicit replay_schedule(std::string const& choices);
  [[nodiscard]] std::string text() const;  ///< the numbers with dots between
  std::uint32_t choose(std::uint32_t alternatives) override;
  [[nodiscard]] std::string describe() const override { return "replay_schedule(\"" + text() + "\")"; }

 private:
  std::vector<std::uint32_t> choices_;
  std::size_t taken_ = 0;
};

/// A program run many times: each time `begin`, `run` on every location, and `check` if all returned.
class repeated_body : public sheaf::location_body {
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
exploration explore_body(sheaf::simulation const& settings, repeated_body& body, std::uint64_t limit);

/// Runs the schedules of `count` seeds from `first_seed` on, until one fails.
exploration sample_body(sheaf::simulation const& settings, repeated_body& body, std::uint64_t first_seed,
                        std::uint64_t count);

/// A body made anew for each run by a callable; the body has `run(sheaf::endpoint&)` and may have `check()`.
template <class MakeBody>
class made_body final : public repeated_body {
  using body = decltype(std::declval<MakeBody&>()());

 public:
  explicit made_body(MakeBody& make) : make_(make) {}
  void begin() override { body_ = std::make_unique<body>(make_()); }
  void run(sheaf::endpoint& connection) override { body_->run(connection); }
  void check() override {
    if constexpr (requires(body & b) { b.check(); }) body_->check();
  }

 private:
  MakeBody& make_;
  std::unique_ptr<body> body_;
};

/// explore_body for `make_body()`, which returns by value an object with `run(sheaf::endpoint&)` and, if wanted,
/// `check()`.
template <class MakeBody>
exploration explore(sheaf::simulation const& settings, MakeBody make_body, std::uint64_t limit) {
  made_body<MakeBody> body(make_body);
  return explore_body(settings, body, limit);
}

/// sample_body for `make_body()`, as in `explore`.
template <class MakeBody>
exploration sample(sheaf::simulation const& settings, MakeBody make_body, std::uint64_t first_seed,
                   std::uint64_t count) {
  made_body<MakeBody> body(make_body);
  return sample_body(settings, body, first_seed, count);
}

}  // namespace sheaf_test
