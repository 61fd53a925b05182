// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The way in: entries into runs, runs bound to a handler and an object, records run in a tight loop.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/insight.hpp"
#include "message/outside.hpp"
#include "message/parked.hpp"
#include "message/router.hpp"
#include "message/run_facts.hpp"
#include "message/trace_slice.hpp"
#include "sheaf/async/future.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

std::string text_of_thrown() {
  try {
    throw;
  } catch (std::exception const& thrown) {
    return std::string(without_prefix(thrown.what()));
  } catch (...) {
    return "an unknown exception";
  }
}

std::string exception_text(location_id here, std::string_view handler, location_id caller) {
  return name_of(here) + ", " + readable(handler) + " called by " + name_of(caller) + ": " + text_of_thrown();
}

void throw_thrown_in(char const* what) {
  throw callback_error(std::string("sheaf: ") + what + " threw, but must not throw: " + text_of_thrown());
}

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void throw_bad_count(execution const& state) {
  throw wire_error("sheaf: a run announced " + std::to_string(state.count) + " records and held " +
                   std::to_string(state.begun) + " (" + readable(state.handler->name) + ")" + where_from(state));
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_orphans(execution const& state) {
  throw stray_request("sheaf: " + std::to_string(state.orphans) + (state.orphans == 1 ? " request" : " requests") +
                      " (" + readable(state.handler->name) + ") of " + name_of(state.source) +
                      " came too late: an earlier method of the same run destroyed or withdrew the object; fence (the "
                      "world, for a published object) before you destroy it");
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_failed(execution const& state, std::string const& how) {
  throw callback_error("sheaf: the handler of a run from " + name_of(state.source) + " (" +
                       readable(state.handler->name) + ") " + how);
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_left(execution const& state) {
  throw_failed(state, "left " + std::to_string(state.run_end - state.at) + " bytes of it: run() goes on to run_end");
}

run_header next_run(execution const& held) {
  if (held.piece_of != nullptr) return *held.piece_of;
  run_header header;
  static_cast<void>(run_header::read(held.run_end, static_cast<std::size_t>(held.entry_end - held.run_end), header));
  return header;
}

void drop_keeper(execution const& state) {
  if (state.keeper != nullptr) state.keeper->drop();  // an exception ends the job
}

std::string several(std::uint32_t count, std::string const& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

void run_handler(location& here, void* object, execution& state) {
  handler_entry const* const handler = state.handler;
  call_catching([&] { handler->run(here, object, state); },
                [&] { throw_thrown_in(("the handler " + readable(handler->name)).c_str()); });
}

void throw_standing(execution const& state) {
  throw_failed(state, "threw and had not moved on: move state.at behind a record before you act on it");
}

executor::executor(location& here) : here_(here), endpoint_(here.connection()), parked_(new parked) {}

bool executor::by_outsider() const { return !gate_->by_owner(); }

bool executor::stopped() const { return here_.out().held.is_over() && answer_waits_ == 0; }

wanted executor::allowed() const { return stopped() ? here_.out().held.allowed() : wanted::all; }

bool executor::quiet(team_state const& team, bool beneath) const {
  if (beneath && waiting_handlers_ != 0) return false;
  if (team.awaited != 0 || !here_.out().routes.all_counted() || !parked_->deferred.empty()) return false;
  if (team.id != 0) return true;
  auto const& teams = here_.registered().teams();  // the world covers them all
  return std::none_of(teams.begin(), teams.end(), [](auto const& t) { return t->awaited != 0; });
}

std::uint64_t executor::activity() const { return activity_ + endpoint_.counts().parts; }

/// What comes before new arrivals: what is stuck on the way out, interrupted runs, what was put aside.
bool executor::run_errand() {
  if (has(errand::job_ends) && std::uncaught_exceptions() == 0) std::rethrow_exception(parked_->ending);
  bool const sent = has(errand::send_overflow) && here_.out().drain();
  if (sent && here_.out().hurried) {
    here_.out().hurried = has(errand::send_overflow);  // those whose pairs still wait gather on
    here_.out().flush(flush_reason::idle);
  }
  if (has(errand::pass_on) && here_.out().routes.go_on())
    return true;  // before a program that waits for this credit, too, goes on
  if (sent) return true;
  if (waiting_handlers_ > 0 && resume_interrupted()) return true;
  if (has(errand::try_held) && retry_held()) return true;
  return has(errand::call_deferred) && !stopped() && run_deferred();
}

inline void executor::end_entry(execution& state) {
  flush_answers(state);  // what came after a wait in the last record, or before records that are held, too
  if (!state.consumed) consume(state);
}

/// Whether the entry is a lone request with the header of the last one, whose names still mean what they did.
inline bool executor::is_as_before(arrival const& entry) const {
  std::size_t const size = entry.bytes.size();
  if (size <= run_header::lone_bytes || entry.kind != traffic::request || endpoint_.trace != nullptr) return false;
  if (std::memcmp(entry.bytes.data(), lone_.header.data(), run_header::lone_bytes) != 0) return false;
  if (lone_.changes != here_.registered().changes()) return false;
  if (lone_.team->objects[lone_.object_number].object != lone_.object) return false;  // it fades
  std::uint32_t const each = lone_.handler->record_bytes;
  return each == 0 || size == run_header::lone_bytes + each;
}

/// What execute does, for such an entry.
inline void executor::execute_as_before(execution& state) {
  state.outer = active_;
  restoring const innermost(active_, &state);
  restoring const deeper(depth_, depth_ + 1);
  at_end const leave{[&state] { drop_keeper(state); }};
  restoring const none(in_continuation_, continuing());
  sending_in const no_scope(here_.out(), {});
  state.at = state.run_begin = state.run_end + run_header::lone_bytes;
  state.run_end = state.entry_end;
  state.count = 1;
  state.handler = lone_.handler;
  state.object = lone_.object;
  state.object_number = lone_.object_number;
  state.team = lone_.team;
  if (state.handler->is_progress) ++activity_;
  running_.relax(state.handler);
  if (insight && !state.handler->carries) here_.out().counts.run(lone_.tag.handler(), 1);
  run_handler(here_, state.object, state);
  close_executed_run(state);
  end_entry(state);
}

bool executor::receive_one(wanted which) {
  arrival entry;
  if (!endpoint_.receive(std::min(which, allowed()), entry)) return false;
  if (insight) here_.out().counts.link(number(entry.source)).received(entry.bytes.size());
  if (is_hop(entry.kind)) [[unlikely]]
    return here_.out().routes.take(entry), true;
  if (gate_ != nullptr && (outside::of(here_).must_wait(entry) || outside::of(here_).share_out(entry))) [[unlikely]]
    return true;
  execution state(entry);
  is_as_before(entry) ? execute_as_before(state) : execute(state);
  return true;
}

/// Runs the entry to its end, or until a run must be held.
void executor::execute(execution& state) {
  state.outer = active_;
  restoring const innermost(active_, &state);
  restoring const deeper(depth_, depth_ + (is_request(state.kind) ? 1 : 0));
  at_end const leave{[&state] { drop_keeper(state); }};
  run_entry(state);
}

/// Goes on with the entry where it stands; also called while an outer frame is inside one of its handlers.
void executor::run_entry(execution& state) {
  restoring const none(in_continuation_, continuing());
  if (state.kind == traffic::delivery) [[unlikely]]
    return run_routed(state);
  sending_in const run_by_run(here_.out(), state.team == nullptr ? here_.out().scope() : state.scope.of_handler());
  bool opened = state.at != state.run_end || state.team != nullptr;
  while (opened || (!state.finished() && open_next_run(state))) {
    opened = false;
    if (endpoint_.trace != nullptr) [[unlikely]] {
      run_traced(here_, state);
    } else if (state.at != state.run_end) {
      if (gate_ == nullptr || state.kind == traffic::answer) [[likely]] {
        run_handler(here_, state.object, state);
      } else {
        gate_break const outside(gate_);
        run_handler(here_, state.object, state);
      }
    }
    close_executed_run(state);
  }
  end_entry(state);
}

void executor::run_routed(run_tag runs, std::uint32_t its_number, handler_entry const& its,
                          found_request const& request) {
  location_counts& counts = here_.out().counts;
  bool const is_plain = endpoint_.trace == nullptr && (!insight || counts.knows(its_number));
  if (!is_plain) [[unlikely]]
    return run_routed_slowly(runs, its_number, its, request);
  if (insight) counts.run_known(its_number, 1, running_.relaxed() != &its);
  running_.relax(&its);
  its.routed(request);
}

/// Apart, so that the usual way saves no registers.
[[gnu::noinline]] void executor::run_routed_slowly(run_tag runs, std::uint32_t its_number, handler_entry const& its,
                                                   found_request const& request) {
  if (insight) here_.out().counts.run(its_number, 1, running_.relaxed() != &its);
  running_.relax(&its);
  if (endpoint_.trace == nullptr) return its.routed(request);
  std::uint32_t const source = number(active_ == nullptr ? here_.id() : active_->source);
  trace_slice const slice(endpoint_, begin_traced(here_, its, {runs.team(), runs.object(), source, 1}));
  its.routed(request);
}

void executor::run_routed(execution& entry) {
  unpack(entry);
  if (here_.out().of(traffic::answer).open_boxes() != 0) here_.out().of(traffic::answer).flush(flush_reason::answers);
  if (!entry.consumed) consume(entry);
}

/// Of a piece they leave with those of its whole entry, which asks more locations than one, if it was not held.
void executor::flush_answers(execution const& state) {
  std::uint32_t const source = number(state.source);
  if (!is_request(state.kind) || (state.piece_of != nullptr && !state.keeps_piece) ||
      here_.out().of(traffic::answer).open_boxes() == 0)
    return;
  here_.answer_box(source).flush(flush_reason::answers);
}

void executor::consume(execution& state) {
  state.consumed = true;
  if (state.kept != nullptr) [[unlikely]]
    return outside::of(here_).forget(state.kept);
  if (state.keeper != nullptr) [[unlikely]]
    return consume_kept(state);
  endpoint_.consumed(state.source, state.kind);
}

void executor::close_executed_run(execution& state) {
  if (state.at != state.run_end) [[unlikely]]
    throw_left(state);
  if (state.team == nullptr) return;
  if (state.orphans != 0) [[unlikely]]
    throw_orphans(state);
  if (state.handler->record_bytes == 0 && state.begun != state.count) [[unlikely]]
    throw_bad_count(state);
  user_begun_ += state.count - state.accounted;
  here_.registered().world().executed += state.count;
  std::uint32_t const source = number(state.source);
  if (insight) here_.out().counts.link(source).executed += state.count;
  if (state.team->id != 0) state.team->executed += state.count;
  if (state.scope.number() != 0)
    state.team->counts_of(state.scope.number()).count_executed(state.scope, source, state.count);
  state.team = nullptr;
}

/// Counts the records begun so far, the waiting one included.
void executor::settle(execution& state) {
  if (state.team == nullptr) return;
  std::uint32_t const begun = state.records_begun();
  user_begun_ += begun - state.accounted;
  state.accounted = begun;
}

/// In a nested wait: the rest of the entries that the waiting handlers came from goes on first, in order.
bool executor::resume_interrupted() {
  bool any = false;
  for (execution* state = active_; state != nullptr; state = state->outer) {
    if (state->finished()) continue;
    any = true;
    run_entry(*state);
  }
  return any;
}

void executor::defer(void (*run)(void*), void* context, task_frame const* resumes, run_scope scope) {
  admission const inside(gate_);
  parked_->deferred.push({run, context, resumes, scope});
  remind(errand::call_deferred);
}

bool executor::run_deferred() {
  deferred_call const call = parked_->deferred.pop();
  if (parked_->deferred.empty()) done_with(errand::call_deferred);
  ++activity_;
  continuing const what{true, call.resumes};
  restoring const mark(in_continuation_, what);
  sending_in const its_scope(here_.out(), call.scope);
  restoring const guard(depth_, depth_ + 1);
  trace_slice const slice(endpoint_, trace_event::continuation, "a continuation");
  try {
    gate_break const outside(gate_);
    call.run(call.context);
  } catch (unseen_error const& lost) {
    keep_unseen(lost);
  }
  // No continuation is due: send the answers that continuations have gathered, as nothing else here may do so soon.
  if (!parked_->answered.empty() && parked_->deferred.empty()) flush_late_answers();
  return true;
}

void executor::flush_late_answers() {
  admission const inside(gate_);
  for (std::uint32_t const dest : parked_->answered) here_.answer_box(dest).flush();
  parked_->answered.clear();
}

void executor::flush_answers_soon(std::uint32_t dest) {
  admission const inside(gate_);
  if (in_handler() && !in_continuation_.any) {
    // The end of the method's entry flushes what goes to its sender. Nothing later would flush what goes to others.
    bool const to_sender = active_ != nullptr && number(active_->source) == dest;
    return to_sender ? void() : here_.answer_box(dest).flush();
  }
  auto& answered = parked_->answered;
  if (answered.empty() || answered.back() != dest) answered.push_back(dest);
}

void executor::recall(void* context) noexcept {
  admission const inside(gate_);
  parked_->deferred.each([&](deferred_call& call) {
    if (call.context == context) call = {[](void*) {}, nullptr};
  });
}

/// What is still to run on an object that has no name any more: coroutines, and the rest of a run that let it go.
void executor::let_go(void const* object) {
  auto const uses = [object](execution const* e) { return e->object == object && e->at != e->run_end; };
  execution* in_use = active_;
  while (in_use != nullptr && !uses(in_use)) in_use = in_use->outer;
  if ((in_use == nullptr && !here_.calls().coroutines.has_one_of(object)) || here_.registered().has(object)) return;
  for (; in_use != nullptr; in_use = in_use->outer) {
    if (!uses(in_use)) continue;
    std::uint32_t const each = in_use->handler->record_bytes;
    auto const left = static_cast<std::uint32_t>(in_use->run_end - in_use->at);
    in_use->orphans = each != 0 ? left / each : in_use->count - in_use->begun;
    in_use->at = in_use->run_end;
  }
  gate_break const outside(gate_);  // destructors of the program's
  here_.calls().coroutines.end_those_of(object);
}

void executor::keep_exception(team_state& team, std::string_view handler, location_id caller) {
  admission const inside(gate_);
  run_scope const in = here_.out().scope();
  bool const of_scope = in.team() == team.id && !in.is_of_messages();  // else the program called it here and now
  kept_errors& errors = team.counts_of(of_scope ? in.number() : 0).errors;
  errors.add([&] { return exception_text(here_.id(), handler, caller); });
}

/// Keeps it for the team of the request that the future was for.
void executor::keep_unseen(unseen_error const& lost) {
  admission const inside(gate_);
  auto const& teams = here_.registered().teams();
  auto const its = std::ranges::find_if(
      teams, [&](auto const& t) { return &t->awaited == lost.unanswered || &t->begun == lost.unanswered; });
  auto& errors = (its != teams.end() ? **its : here_.registered().world()).errors;
  errors.add([&] {
    return name_of(here_.id()) + ", in a result that nobody asked for: " + std::string(without_prefix(lost.what()));
  });
}

/// Puts the rest of an entry aside until its object is registered. Nothing of its pair is executed meanwhile: its
/// credit is kept. A piece is copied, since others share its link.
void executor::hold(execution& state) {
  if (state.piece_of != nullptr) keep_piece(state);
  parked_->held.push_back(state);
  state.keeps_piece = false;
  if (insight) here_.out().counts.raise(here_.out().counts.most.held_entries, parked_->held.size());
  if (!parked_->told_of_held && blocks_fence(state)) tell_of_held();
  state.at = state.run_end = state.entry_end;
  state.consumed = true;
  state.keeper = nullptr;  // that of the held entry now
}

/// Goes on with the first held entry that can. The others stay in reach of a handler that waits in it, and in their
/// order, since one location may have several pieces.
bool executor::retry_held() {
  auto& held = parked_->held;
  std::vector<location_id> behind;  // whose pieces wait for an earlier one
  bool all_tried = true;
  for (auto at = held.begin(); at != held.end();) {
    bool const waits = at->piece_of != nullptr && std::ranges::find(behind, at->source) != behind.end();
    bool const may_run = covers(allowed(), at->kind);
    all_tried = all_tried && may_run;
    if (waits || !may_run) {
      ++at;
      continue;
    }
    execution state = *at;
    at_end const drop{[&] { drop_piece(state); }};  // unless it is held again
    at = held.erase(at);
    std::byte const* const before = state.run_begin;
    if (gate_ != nullptr) outside::of(here_).look_at_all();
    execute(state);
    if (state.run_begin != before) {
      parked_->told_of_held = false;
      return true;
    }
    held.splice(at, held, std::prev(held.end()));  // no run was opened
    if (state.piece_of != nullptr || state.kept != nullptr) behind.push_back(state.source);
  }
  if (all_tried) done_with(errand::try_held);
  return false;
}

/// A request that was sent before its sender's latest cut which this location has taken, too: the fence in which it is
/// waits for it. What a faster member sends from behind the fence has the colour of the last cut.
bool executor::blocks_fence(execution const& held) const {
  if (!waiting()) return false;
  run_header const header = next_run(held);
  registry const& known = here_.registered();
  if (is_behind(header.world_colour, known.world().colour)) return true;
  team_state* const team = known.find_team(header.tag.counting_team());
  if (team == nullptr) return false;
  if (!header.tag.is_published() && is_behind(header.team_colour, team->colour)) return true;
  std::uint32_t const scope = header.in_scope().number();
  auto const by = static_cast<unsigned>(team->counts_of(scope).colour - header.scope_colour()) & 3U;
  return scope != 0 && (by == 1 || by == 2);
}

void executor::look_at_held() {
  auto const& held = parked_->held;
  if (held.empty() || parked_->told_of_held || has(errand::try_held)) return;  // an object has come since
  if (std::any_of(held.begin(), held.end(), [this](execution const& e) { return blocks_fence(e); })) tell_of_held();
}

void executor::tell_of_held() {
  parked_->told_of_held = true;
  std::fprintf(stderr,
               "sheaf: warning: a fence on location %u waits for requests to objects that are not registered there; "
               "if no remote method registers them, the fence will not end. All members of a team register the same "
               "objects in the same order.%s\n",
               number(here_.id()), held_requests().c_str());
}

std::string executor::held_requests() const {
  constexpr std::size_t most_lines = 4;
  std::string text;
  std::size_t lines = 0;
  for (execution const& e : parked_->held) {
    if (++lines > most_lines) return text + "\n  and more";
    run_header const header = next_run(e);
    team_state const* const team = here_.registered().find_team(header.tag.team());
    text += "\n  " + name_of(here_.id()) + " holds " + several(header.count, "request") + " (" +
            (e.handler == nullptr ? "a method" : readable(e.handler->name)) + ") of " + name_of(e.source) + " for ";
    if (team == nullptr) {
      text += "team " + std::to_string(header.tag.team()) + ", which does not exist here";
    } else {
      text += "object " + std::to_string(header.tag.object()) + " of team " + std::to_string(team->id) +
              ", which was never registered here (" + several(team->next_object - 1, "object") + " of it " +
              (team->next_object == 2 ? "was)" : "were)");
    }
  }
  return text;
}

}  // namespace sheaf::detail
