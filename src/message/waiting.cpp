// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Waiting: what a location does between its own calls. It executes, moves what is stuck, and only then rests.
#include <algorithm>
#include <exception>

#include "base/call_text.hpp"
#include "location_parts.hpp"
#include "message/outside.hpp"
#include "message/trace_slice.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

namespace {
constexpr int steps_per_poll = 16;
constexpr std::uint64_t stalled_rest_ns = 1'000'000;
}  // namespace

void location::check_may_wait_here(wait_kind kind, char const* what, call_site from) const {
  if (gate_ != nullptr && by_outsider()) return detail::outside::check_may_wait(*this, kind, what);
  if (!in_handler()) return;
  if (detail::outside::in_concurrent_method(active_) && !in_continuation_.any)
    detail::outside::refuse_wait(*this, what);
  if (kind != wait_kind::answer) {
    throw usage_error(
        std::string("sheaf: ") + what + " was called in a remotely invoked method of location " +
        std::to_string(number(id())) +
        "; only the program itself may wait for a whole team. Let the method return and call it from main" +
        detail::called_at(from));
  }
  if (waiting_handlers_ < settings_.nesting_limit) return;
  throw nesting_limit(
      std::string("sheaf: ") + what + " would be wait number " + std::to_string(waiting_handlers_ + 1) +
      " of nested remote methods on location " + std::to_string(number(id())) + "; the limit is " +
      std::to_string(settings_.nesting_limit) +
      " (SHEAF_NESTING_LIMIT). The depth grows with load: raise the limit, or let the method be a coroutine "
      "(return sheaf::task<R> and co_await opaque_rmi), or send the rest of the work as a split-phase request with a "
      "continuation (opaque_rmi and then) instead of waiting" +
      detail::called_at(from));
}

location::wait_scope::wait_scope(location& here, wait_kind kind, detail::wait_site const& site)
    : here_(here),
      site_(site),
      outer_(here.innermost_),
      waiting_(here.active_),
      kind_(kind),
      nested_(here.in_handler()),
      continuation_(here.in_continuation_) {
  if (nested_) here_.check_may_wait(kind, "a wait");
  here_.innermost_ = this;
  ++here_.activity_;  // so that a wait that ends and begins again is seen, though it sent nothing
  ++here_.waits_;
  if (kind_ == wait_kind::answer) ++here_.answer_waits_;
  if (nested_) {
    ++here_.waiting_handlers_;
    if (detail::insight) here_.parts_->out.counts.raise(here_.parts_->out.counts.nested_high, here_.waiting_handlers_);
    here_.waiting_continuations_ += continuation_.any ? 1 : 0;
  }
  for (detail::execution* state = nested_ ? here_.active_ : nullptr; state != nullptr; state = state->outer) {
    here_.settle(*state);
    if (!state->finished() || state->consumed) continue;
    here_.flush_answers(*state);
    here_.consume(*state);
  }
  if (here_.endpoint_.trace() != nullptr) [[unlikely]]
    traced_ = detail::begin_traced_wait(here_.endpoint_, kind_);
}

location::wait_scope::~wait_scope() {
  if (here_.endpoint_.trace() != nullptr) [[unlikely]]
    detail::end_traced_wait(here_.endpoint_, traced_);
  here_.innermost_ = outer_;
  --here_.waits_;
  if (kind_ == wait_kind::answer) --here_.answer_waits_;
  if (!nested_) return;
  --here_.waiting_handlers_;
  here_.waiting_continuations_ -= continuation_.any ? 1 : 0;
}

bool location::step() {
  if (careful_) [[unlikely]]
    return step_carefully();
  if ((errands_ | waiting_handlers_) != 0 && run_errand()) [[unlikely]]
    return true;
  return receive_one(wanted::all);
}

/// The same with a look at the age of buffers, and at what outsiders do here.
bool location::step_carefully() {
  std::uint64_t const before = activity_;
  if (gate_ != nullptr) gate_->give_way();
  bool const others_moved = activity_ != before;  // what an outsider has done may be what this location waits for
  if ((errands_ | waiting_handlers_) != 0 && run_errand()) return true;
  if (settings_.flush_age_ns != 0 && !sent_all()) {
    parts_->out.flush_old();
    if (sent_all()) return true;  // which somebody may wait for
  }
  if (gate_ == nullptr) return receive_one(wanted::all);
  detail::outside here(*this);
  bool const any =
      here.take_answer() || receive_one(wanted::answers) || here.take_request() || receive_one(wanted::all);
  if (any) here.tell_guests();
  return any || others_moved;
}

void location::wait_inside(wait_kind kind, detail::wait_site const& site, bool (*done)(void*), void* context) {
  if (by_outsider()) return detail::outside(*this).wait(site, done, context);
  detail::admission const inside(gate_);
  detail::outside(*this).let_outsiders_call_all();
  auto const is_done = [&] { return done(context); };
  wait_alone(kind, site, is_done);
  if (waits_ == 0) detail::outside(*this).nudge();
}

/// What comes before new arrivals: what is stuck on the way out, what interrupted handlers have left, what was put
/// aside.
bool location::run_errand() {
  if ((errands_ & job_ends) != 0 && std::uncaught_exceptions() == 0) std::rethrow_exception(parts_->ending);
  if ((errands_ & send_overflow) != 0 && drain_overflow()) return true;
  if (waiting_handlers_ > 0 && resume_interrupted()) return true;
  if ((errands_ & try_held) != 0 && !stopped() && retry_held()) return true;
  return (errands_ & call_deferred) != 0 && !stopped() && run_deferred();
}

bool location::take_steps() {
  if (in_handler()) return (errands_ & send_overflow) != 0 && drain_overflow();
  bool any = false;
  try {
    for (int i = 0; i < steps_per_poll && step(); ++i) any = true;
    if (errands_ != 0) flush_late_answers();  // continuations may be due, and the program goes on
  } catch (detail::ends_job const&) {
    leave_job();
  }
  return any;
}

/// Called while an exception that ends the job is handled. A program or method that catches it gets it again at its
/// next step. Destroys the coroutines while the program's variables, to which they may refer, are still there; as the
/// exception goes on, so that nothing in them waits.
void location::leave_job() {
  if (parts_->ending == nullptr) parts_->ending = std::current_exception();
  errands_ |= job_ends;
  if (in_handler()) throw;
  struct last {
    detail::frame_list& coroutines;
    detail::gate* gate;
    ~last() {
      detail::gate_break const outside(gate);  // destructors of the program's
      coroutines.end_those_of(nullptr);
    }
  } const guard{coroutines_, gate_};
  throw;
}

bool location::poll() {
  detail::admission const inside(gate_);
  if (gate_ != nullptr) {
    if (by_outsider()) return detail::outside(*this).poll();
    detail::outside(*this).let_outsiders_call_all();
  }
  bool const any = take_steps();
  if (any || in_handler()) return any;
  // A program that polls instead of waiting must get as far as one that waits.
  if (!sent_all()) flush_all(detail::flush_reason::idle);
  bool const wanted = stopped() || stall_hook_wanted_ || look_from_.load(std::memory_order_relaxed) == 0;
  try {
    if (stall_hook_ != nullptr && wanted) stall_hook_(*this);
  } catch (detail::ends_job const&) {
    leave_job();
  }
  if (gate_ != nullptr) detail::outside(*this).serve_others();
  return false;
}

void location::poll_between_requests() {
  parts_->out.unpolled = 0;
  take_steps();
}

void location::rest(std::uint32_t round) {
  if (parts_->out.may_leave()) return flush_all(detail::flush_reason::idle);
  bool const wanted = stopped() || stall_hook_wanted_ || round >= look_from_.load(std::memory_order_relaxed);
  if (stall_hook_ == nullptr || !wanted) return idle(round, 0);
  bool const before = stopped();
  std::uint64_t const until = stall_hook_(*this);
  if (stopped() != before) return;  // what was not to be received may be there already
  idle(round, before ? endpoint_.now() + stalled_rest_ns : until);
}

void location::idle(std::uint32_t round, std::uint64_t deadline) {
  bool const long_ago = round >= settings_.spin_polls + settings_.yield_polls;
  if (long_ago && parts_->silence.wanted()) {
    deadline = parts_->silence.look(endpoint_, parts_->out.of(traffic::request), deadline);
  }
  if (gate_ == nullptr) return endpoint_.idle(round, deadline);
  detail::outside(*this).rest(round, deadline, long_ago);
}

bool location::sent_all() const { return parts_->out.empty(); }

bool location::requests_sent() const { return parts_->out.of(traffic::request).all_sent(); }

bool location::answers_sent() const { return !parts_->out.of(traffic::answer).overflows(); }

bool location::quiet(detail::team_state const& team) const {
  if (team.awaited != 0 || !sent_all() || !parts_->deferred.empty()) return false;
  if (team.id != 0) return true;
  auto const& teams = parts_->teams;  // the world covers them all
  return std::none_of(teams.begin(), teams.end(), [](auto const& t) { return t != nullptr && t->awaited != 0; });
}

}  // namespace sheaf
