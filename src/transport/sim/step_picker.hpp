// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/transport/simulator.hpp"
#include "transport/sim/sim_state.hpp"

namespace sheaf::detail {

/// Takes the next step out of those possible in the way of a `play`, and says how often a location loses its core.
class step_picker {
 public:
  /// Draws what the play leaves open. Called at the start of each run.
  void start(play order, std::uint32_t locations, schedule& decisions);

  /// One of `possible`, which is not empty.
  [[nodiscard]] step& pick(step_set const& possible);

  /// A priority for a new location or link.
  [[nodiscard]] std::uint32_t priority();

  /// Whether a location is to lose its core at this send or receive.
  [[nodiscard]] bool preempt() { return preempt_one_in_ != 0 && decisions_->choose(preempt_one_in_) == 0; }

  /// How long the next arrival takes; mostly below a microsecond, rarely a millisecond.
  [[nodiscard]] std::uint64_t delay();

 private:
  [[nodiscard]] step& any(step_set const& possible);
  [[nodiscard]] step& highest(step_set const& possible);
  [[nodiscard]] step& not_slow(step_set const& possible);
  [[nodiscard]] bool rarely(std::uint32_t one_in) { return decisions_->choose(one_in) == 0; }

  schedule* decisions_ = nullptr;
  play order_ = play::plain;
  std::uint32_t preempt_one_in_ = 0;
  std::uint32_t slow_location_ = 0;
};

}  // namespace sheaf::detail
