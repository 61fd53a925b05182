// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Waiting: what a location does between its own calls. It executes, moves what is stuck, and only then rests.
#include <algorithm>

#include "location_parts.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

namespace {
constexpr int steps_per_poll = 16;
constexpr std::uint64_t stalled_rest_ns = 1'000'000;
}  // namespace

void location::check_may_wait(wait_kind kind, char const* what) const {
  if (!in_handler()) return;
  if (kind == wait_kind::collective) {
    throw usage_error(
        std::string("sheaf: ") + what + " was called in a remotely invoked method of location " +
        std::to_string(number(id())) +
        "; only the program itself may wait for a whole team. Let the method return and call it from main");
  }
  if (waiting_handlers_ < settings_.nesting_limit) return;
  throw nesting_limit(
      std::string("sheaf: ") + what + " would be wait number " + std::to_string(waiting_handlers_ + 1) +
      " of nested remote methods on location " + std::to_string(number(id())) + "; the limit is " +
      std::to_string(settings_.nesting_limit) +
      " (SHEAF_NESTING_LIMIT). The depth grows with load: raise the limit, or send the rest of the work "
      "as a split-phase request with a continuation (opaque_rmi and then) instead of waiting");
}

location::wait_scope::wait_scope(location& here, wait_kind kind)
    : here_(here), kind_(kind), nested_(here.in_handler()), continuation_(here.in_continuation_) {
  if (nested_) here_.check_may_wait(kind, "a wait");
  ++here_.waits_;
  if (kind_ == wait_kind::answer) ++here_.answer_waits_;
  if (!nested_) return;
  ++here_.waiting_handlers_;
  here_.waiting_continuations_ += continuation_ ? 1 : 0;
  for (detail::execution* state = here_.active_; state != nullptr; state = state->outer) {
    here_.settle(*state);
    if (!state->finished() || state->consumed) continue;
    here_.flush_answers(*state);
    here_.consume(*state);
  }
}

location::wait_scope::~wait_scope() {
  --here_.waits_;
  if (kind_ == wait_kind::answer) --here_.answer_waits_;
  if (!nested_) return;
  --here_.waiting_handlers_;
  here_.waiting_continuations_ -= continuation_ ? 1 : 0;
}

bool location::step() {
  if ((errands_ | waiting_handlers_) != 0 && run_errand()) [[unlikely]]
    return true;
  if (settings_.flush_age_ns != 0) [[unlikely]]
    flush_old();
  return receive_one();
}

/// What comes before new arrivals: what is stuck on the way out, what interrupted handlers have left, what was put
/// aside.
bool location::run_errand() {
  if ((errands_ & send_overflow) != 0 && drain_overflow()) return true;
  if (waiting_handlers_ > 0 && resume_interrupted()) return true;
  if ((errands_ & try_held) != 0 && !stopped() && retry_held()) return true;
  return (errands_ & call_deferred) != 0 && !stopped() && run_deferred();
}

bool location::take_steps() {
  if (in_handler()) return (errands_ & send_overflow) != 0 && drain_overflow();
  bool any = false;
  for (int i = 0; i < steps_per_poll && step(); ++i) any = true;
  return any;
}

bool location::poll() {
  bool const any = take_steps();
  if (any || in_handler()) return any;
  // A program that polls instead of waiting must get as far as one that waits.
  if (!sent_all()) flush_all();
  if (stall_hook_ != nullptr && (stopped() || stall_hook_wanted_)) stall_hook_(*this);
  return false;
}

void location::poll_between_requests() {
  unpolled_ = 0;
  take_steps();
}

void location::rest(std::uint32_t round) {
  if (!parts_->open[0].empty() || !parts_->open[1].empty()) return flush_all();
  if (stall_hook_ == nullptr || !(stopped() || stall_hook_wanted_)) return endpoint_.idle(round);
  bool const before = stopped();
  stall_hook_(*this);
  if (stopped() != before) return;  // what was not to be received may be there already
  endpoint_.idle(round, before ? endpoint_.now() + stalled_rest_ns : 0);
}

bool location::sent_all() const {
  return parts_->open[0].empty() && parts_->open[1].empty() && parts_->overflows.empty();
}

bool location::answers_sent() const {
  auto const& queues = parts_->overflows;
  return std::none_of(queues.begin(), queues.end(), [](overflow_queue const& q) { return q.kind == traffic::answer; });
}

bool location::quiet(detail::team_state const& team) const {
  if (team.awaited != 0 || !sent_all() || !parts_->deferred.empty()) return false;
  if (team.id != 0) return true;
  auto const& teams = parts_->teams;  // the world covers them all
  return std::none_of(teams.begin(), teams.end(), [](auto const& t) { return t != nullptr && t->awaited != 0; });
}

}  // namespace sheaf
