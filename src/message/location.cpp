// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/location.hpp"

#include <cstring>
#include <exception>
#include <thread>

#include "base/call_text.hpp"
#include "base/insight.hpp"
#include "base/pause_core.hpp"
#include "message/outside.hpp"
#include "message/parked.hpp"
#include "message/reports.hpp"
#include "message/router.hpp"
#include "message/silence.hpp"
#include "message/trace_slice.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

location::location(endpoint& connection, options const& shared)
    : endpoint_(connection),
      settings_(shared),
      thread_(own_thread()),
      careful_(settings_.flush_age_ns != 0 || settings_.progress != progress_kind::inlined),
      eager_steps_(settings_.transport == transport_kind::thread && settings_.spin_polls != 0 ? 128 : 0),
      watch_(connection),
      in_(*this),
      registered_(*this),
      out_(new sender(*this)),
      silence_(new silence_watch(settings_.transport == transport_kind::sim ? 0 : settings_.poll_warning_ms)) {
  if (settings_.progress != progress_kind::inlined) outside::let_into(*this);
  endpoint_.explain = {
      [](void const* self, location_report& to) { reports(*static_cast<location const*>(self)).add_to(to); }, this};
}

location::~location() {
  delete std::exchange(memory, nullptr);
  endpoint_.explain = {};
  endpoint_.share(nullptr);
  delete silence_;
  in_.forget_held();  // it is counted in what goes next
  delete out_;
  delete others_;
}

namespace {
constexpr int steps_per_poll = 16;
constexpr std::uint64_t stalled_rest_ns = 1'000'000;

char const* trace_name(wait_kind kind) {
  if (kind == wait_kind::answer) return "for an answer";
  return kind == wait_kind::collective ? "for the team" : "for credit";
}
}  // namespace

void location::check_may_wait_here(wait_kind kind, char const* what, call_site from) const {
  if (gate_ != nullptr && by_outsider()) return guests::check_may_wait(*this, kind, what, from);
  if (!in_.in_handler()) return;
  execution const* const in = in_.in_continuation_.any ? nullptr : in_.active_;
  if (in != nullptr && is_request(in->kind) && in->handler != nullptr && in->handler->any_thread)
    outside::refuse_wait(*this, what, from);
  if (kind != wait_kind::answer) {
    throw usage_error(std::string("sheaf: ") + what + " was called in a remotely invoked method of " + name_of(id()) +
                      "; only the program itself may wait for a whole team. Let the method return, and call it from "
                      "the function given to sheaf::run" +
                      called_at(from));
  }
  if (in_plain_run) {
    throw usage_error(std::string("sheaf: ") + what + " was called in a noexcept handler on " + name_of(id()) +
                      ", which gets all messages of a run at once and must not wait; drop its noexcept" +
                      called_at(from));
  }
  if (in_.waiting_handlers_ < settings_.nesting_limit) return;
  throw nesting_limit(
      std::string("sheaf: ") + what + " would be wait number " + std::to_string(in_.waiting_handlers_ + 1) +
      " of nested remote methods on " + name_of(id()) + "; the limit is " + std::to_string(settings_.nesting_limit) +
      " (options::nesting_limit). The depth grows with load: raise the limit, or let the method be a coroutine "
      "(return sheaf::task<R> and co_await ask), or send the rest of the work as a split-phase request with a "
      "continuation (ask and then) instead of waiting" +
      called_at(from));
}

location::wait_scope::wait_scope(location& here, wait_kind kind, wait_site const& site)
    : here_(here),
      site_(site),
      outer_(here.innermost_),
      waiting_(here.in_.active_),
      kind_(kind),
      nested_(here.in_.in_handler()),
      continuation_(here.in_.in_continuation_) {
  if (nested_) here_.check_may_wait(kind, "a wait");
  executor& in = here_.in_;
  here_.innermost_ = this;
  in.stir();  // so that a wait that ends and begins again is seen, though it sent nothing
  ++in.waits_;
  if (kind_ == wait_kind::answer) ++in.answer_waits_;
  if (nested_) {
    ++in.waiting_handlers_;
    if (insight) here_.out_->counts.raise(here_.out_->counts.most.nested_waits, in.waiting_handlers_);
    in.waiting_continuations_ += continuation_.any ? 1 : 0;
  }
  for (execution* state = nested_ ? in.active_ : nullptr; state != nullptr; state = state->outer) {
    in.settle(*state);
    if (!state->finished() || state->consumed) continue;
    in.flush_answers(*state);
    in.consume(*state);
  }
  if (here_.endpoint_.trace != nullptr) [[unlikely]]
    traced_ = begin_traced(here_.endpoint_, trace_event::wait, trace_name(kind_));
}

location::wait_scope::~wait_scope() {
  if (here_.endpoint_.trace != nullptr) [[unlikely]]
    here_.endpoint_.trace->end(here_.endpoint_.now(), traced_);
  executor& in = here_.in_;
  here_.innermost_ = outer_;
  --in.waits_;
  if (kind_ == wait_kind::answer) --in.answer_waits_;
  if (!nested_) return;
  in.stir();  // a begun fence may have waited for the handler
  --in.waiting_handlers_;
  in.waiting_continuations_ -= continuation_.any ? 1 : 0;
}

bool location::step() {
  if (careful_) [[unlikely]]
    return step_carefully();
  if (in_.any_errand() && in_.run_errand()) [[unlikely]]
    return true;
  return in_.receive_one(wanted::all);
}

/// A step that looks at the age of buffers, too, and at what outsiders do here.
bool location::step_carefully() {
  std::uint64_t const before = in_.activity_;
  if (gate_ != nullptr) gate_->give_way();
  bool const others_moved = in_.activity_ != before;  // what an outsider has done may be what this location waits for
  if (in_.any_errand() && in_.run_errand()) return true;
  if (out_->age_ns != 0 && out_->flush_old()) return true;  // which somebody may wait for
  if (gate_ == nullptr) return in_.receive_one(wanted::all);
  outside& here = *others_;
  bool const any =
      here.take_answer() || in_.receive_one(wanted::answers) || here.take_request() || in_.receive_one(wanted::all);
  if (any) here.attached.tell();
  return any || others_moved;
}

void location::wait_inside(wait_kind kind, wait_site const& site, bool (*done)(void*), void* context) {
  if (by_outsider()) return others_->attached.wait(site, done, context);
  admission const inside(gate_);
  others_->let_outsiders_call_all();
  auto const is_done = [&] { return done(context); };
  wait_alone(kind, site, is_done);
  if (in_.waits_ == 0) others_->nudge();
}

/// A step would find nothing to do.
bool location::is_idle() const { return !careful_ && !in_.any_errand() && endpoint_.shows_nothing(); }

bool location::take_steps() {
  if (in_.in_handler()) return in_.has(errand::send_overflow) && out_->drain();
  bool any = false;
  try {
    for (int i = 0; i < steps_per_poll && step(); ++i) {
      any = true;
      if (is_idle()) break;
    }
    if (in_.errands_ != 0) in_.flush_late_answers();  // continuations may be due, and the program goes on
  } catch (ends_job const&) {
    leave_job();
  }
  return any;
}

/// Called while an exception that ends the job is handled; who catches it gets it again at the next step. Destroys the
/// coroutines while the variables that they may refer to are there; as it goes on, so that nothing in them waits.
void location::leave_job() {
  if (in_.parked_->ending == nullptr) in_.parked_->ending = std::current_exception();
  in_.remind(errand::job_ends);
  if (in_.in_handler()) throw;
  at_end const last{[this] {
    gate_break const outside(gate_);  // destructors of the program's
    calls_.coroutines.end_those_of(nullptr);
  }};
  throw;
}

/// A loop of polls without a pause takes the line that a sender is about to write from its core, again and again.
bool location::poll() {
  bool yields = false;
  bool const any = poll_once(yields);
  if (!any) yields ? std::this_thread::yield() : pause_core();
  return any;
}

/// `yields`: who loops on polls may keep those that it waits for from the core.
bool location::poll_once(bool& yields) {
  constexpr std::uint32_t polls_per_yield = 64;
  admission const inside(gate_);
  if (gate_ != nullptr) {
    if (by_outsider()) return !(yields = !others_->attached.poll());
    others_->let_outsiders_call_all();
  }
  bool const any = take_steps();
  if (in_.in_handler()) return any;
  go_on();
  if (any) {
    empty_polls_ = 0;
    return true;
  }
  endpoint_.at_leisure = true;
  // A program that polls instead of waiting must get as far as one that waits.
  if (any_open()) out_->flush(flush_reason::idle);
  try {
    if (watch_.is_due(in_.stopped(), 0)) watch_.look(*this);
  } catch (ends_job const&) {
    leave_job();
  }
  if (gate_ != nullptr) others_->serve_others();
  yields = ++empty_polls_ % polls_per_yield == 0;
  if (yields) endpoint_.attend(endpoint::at_once);  // who polls learns, too, that the job has failed
  if (empty_polls_ != 1 || !comes_soon() || !take_steps()) return false;
  empty_polls_ = 0;
  return true;
}

/// Waits a little for the answer to what has just been executed or sent: a loop of polls would see it later.
bool location::comes_soon() const {
  unsigned looks = is_idle() ? 8 : 0;
  for (; looks != 0 && endpoint_.shows_nothing(); --looks) pause_core();
  return looks != 0;
}

bool location::any_open() const { return out_->any_open; }

void location::poll_if_due() {
  admission const inside(gate_);
  if (out_->of(traffic::request).unpolled >= settings_.poll_every) poll_between_requests();
}

void location::poll_between_requests() {
  out_->of(traffic::request).unpolled = 0;
  take_steps();
}

/// What is open, as far as there is credit. False: there is nothing.
bool location::hand_over() {
  if (!out_->may_leave()) {
    out_->any_open = out_->routes.quiet_at() != 0;  // of a route, these will leave when it is quiet
    return false;
  }
  bool const for_credit = innermost_->kind_ == wait_kind::credit;
  out_->flush(for_credit ? flush_reason::credit : flush_reason::idle);
  return true;
}

void location::rest(std::uint32_t round) {
  if (hand_over() || go_on()) return;
  bool const before = in_.stopped();
  if (!watch_.is_due(before, round)) return idle(round, 0);
  std::uint64_t const until = watch_.look(*this);
  if (in_.stopped() != before) return;  // what was not to be received may be there already
  idle(round, before ? endpoint_.now() + stalled_rest_ns : until);
}

void location::idle(std::uint32_t round, std::uint64_t deadline) {
  bool const long_ago = round >= settings_.spin_polls + settings_.yield_polls;
  if (long_ago && silence_->wanted()) {
    deadline = silence_->look(*out_, deadline);
  }
  auto const at_latest = [&deadline](std::uint64_t when) {
    deadline = deadline == 0 ? when : std::min(deadline, when);
  };
  if (std::uint64_t const due = out_->routes.quiet_at(); due != 0) [[unlikely]]
    at_latest(due);
  if (innermost_ != nullptr && innermost_->site_.nap_us != 0) [[unlikely]]
    at_latest(endpoint_.now() + innermost_->site_.nap_us * 1000ULL);
  if (gate_ == nullptr) return endpoint_.idle(round, deadline);
  others_->rest(round, deadline, long_ago);
}

outbox& location::request_box(std::uint32_t dest) {
  if (gate_ != nullptr) [[unlikely]]
    return out_->requests_by_thread->of_caller().box(dest);
  return out_->of(traffic::request).box(dest);
}

outbox& location::answer_box(std::uint32_t dest) {
  admission const inside(gate_);
  return out_->of(traffic::answer).box(dest);
}

/// Where others may enter, no table has it: each look-up comes here, and to the stream of the caller.
outbox& location::member_box(team_state& team, std::uint64_t rank) {
  outbox& box = request_box(number(team.members[rank]));
  if (gate_ == nullptr) team.boxes.put(rank, box, team.size());
  return box;
}

void location::set_aggregation(std::size_t first, std::size_t most, sheaf::reach of, call_site where) {
  admission const inside(gate_);
  out_->set_aggregation(first, most, of, where);
}

location& outbox::home() const { return owner->home(); }

std::uint32_t outbox::open_records() const {
  if (tag == run_tag{}) return 0;
  if (questions != nullptr) return questions->noted();
  std::size_t const bytes = used() - run - run_header::wire_bytes;
  if (record_bytes == 0 || bytes == record_bytes) return record_bytes == 0 ? count : 1;  // a division takes a while
  return static_cast<std::uint32_t>(bytes / record_bytes);
}

std::byte* outbox::append_slowly(record_form const& next, call_site from) {
  location& here = home();
  if (here.gate() != nullptr) {
    outside::of(here).before_append(filled().pair(), next.tag, from);
  } else {
    here.check_owner("a request", from);  // once for a buffer: each time would cost more than it finds
  }
  if (path != 0) return here.out().routes.append(*this, next, true, from);
  return owner->append(filled(), next, true, from);
}

std::byte* outbox::try_append_slowly(record_form const& next) {
  if (path != 0) return home().out().routes.append(*this, next, false, {});
  return owner->append(filled(), next, false, {});
}

void outbox::retract_routed(std::size_t bytes) { home().out().routes.retract(*this, bytes); }

[[noreturn, gnu::cold]] static void throw_short_entry(std::span<std::byte> entry) {
  throw usage_error("sheaf: an entry of " + std::to_string(entry.size()) + " bytes; it begins with " +
                    std::to_string(run_header::wire_bytes) + " bytes of room for a header, and a record follows");
}

static void check_entry(std::span<std::byte> entry) {
  if (entry.size() <= run_header::wire_bytes) [[unlikely]]
    throw_short_entry(entry);
}

void outbox::send_urgent(run_tag its_tag, std::span<std::byte> entry, call_site from) {
  check_entry(entry);
  location& here = home();
  if (here.gate() == nullptr) {
    here.check_owner("a request", from);
    if (!shown) return owner->send_urgent(*this, its_tag, entry, from);
  }
  admission const inside(here.gate());
  if (path == 0) return owner->send_urgent(filled(), its_tag, entry, from);
  auto const record = entry.subspan(run_header::wire_bytes);
  std::memcpy(here.out().routes.append(*this, {its_tag, record.size()}, true, from), record.data(), record.size());
  owner->flush(filled(), flush_reason::urgent);
}

std::byte* outbox::open_alone(std::size_t bytes, call_site from) {
  location const& here = home();
  if (here.gate() != nullptr || shown) return nullptr;
  here.check_owner("a request", from);
  return owner->open_alone(*this, bytes);
}
void outbox::send_alone(run_tag its_tag, std::size_t bytes) { owner->send_alone(*this, its_tag, bytes); }

bool outbox::offer(run_tag its_tag, std::span<std::byte> entry) {
  check_entry(entry);
  admission const inside(home().gate());
  return path == 0 && owner->offer(filled(), its_tag, entry);
}

void outbox::flush(flush_reason why) {
  admission const inside(home().gate());
  owner->flush(filled(), why);
}

}  // namespace sheaf::detail
