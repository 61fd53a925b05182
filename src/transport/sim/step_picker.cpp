// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/step_picker.hpp"

#include <algorithm>
#include <array>

namespace sheaf::detail {
namespace {

// How often each play is drawn, and how often a location loses its core (one in so many sends and receives; 0: never).
constexpr std::array mixture{play::uniform,      play::uniform,    play::uniform,    play::oldest_first,
                             play::newest_first, play::priorities, play::priorities, play::slow_one};
constexpr std::array<std::uint32_t, 4> preempt_rates{0, 64, 8, 2};

constexpr std::uint32_t most_compared = 64;  // beyond so many steps priorities are compared within a sample

}  // namespace

void step_picker::start(play order, std::uint32_t locations, schedule& decisions) {
  decisions_ = &decisions;
  order_ = order;
  preempt_one_in_ = 0;
  if (order == play::plain) return;
  if (order == play::mixed) order_ = mixture[decisions.choose(mixture.size())];
  preempt_one_in_ = preempt_rates[decisions.choose(preempt_rates.size())];
  if (order_ == play::slow_one && locations > 1) slow_location_ = decisions.choose(locations);
}

step& step_picker::pick(step_set const& possible) {
  if (possible.size() == 1) return possible[0];
  switch (order_) {
    case play::oldest_first:
      return rarely(16) ? any(possible) : possible.oldest();
    case play::newest_first:
      return rarely(16) ? any(possible) : possible.newest();
    case play::priorities:
      return highest(possible);
    case play::slow_one:
      return not_slow(possible);
    default:
      return any(possible);
  }
}

std::uint32_t step_picker::priority() { return order_ == play::priorities ? decisions_->choose(1u << 16) : 0; }

std::uint64_t step_picker::delay() {
  if (order_ == play::plain) return 100;
  std::uint32_t const drawn = decisions_->choose(1024);
  return drawn < 1020 ? 20 + drawn : std::uint64_t{1} << (16 + drawn % 8);
}

step& step_picker::any(step_set const& possible) {
  return possible.size() == 1 ? possible[0] : possible[decisions_->choose(possible.size())];
}

step& step_picker::highest(step_set const& possible) {
  bool const all = possible.size() <= most_compared;
  step* best = all ? &possible[0] : &any(possible);
  std::uint32_t const compared = std::min(possible.size(), most_compared);
  for (std::uint32_t i = 1; i < compared; ++i) {
    step& other = all ? possible[i] : any(possible);
    if (other.priority > best->priority) best = &other;
  }
  // Anybody's, not the winner's: a loser that keeps the lowest priority would wait as long as a winner polls.
  if (rarely(64)) any(possible).priority = decisions_->choose(1u << 16);
  return *best;
}

step& step_picker::not_slow(step_set const& possible) {
  if (rarely(64)) return any(possible);
  step* found = &any(possible);
  for (int tries = 0; tries < 8 && step::owner_of(found->label) == slow_location_; ++tries) found = &any(possible);
  return *found;
}

}  // namespace sheaf::detail
