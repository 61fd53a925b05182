// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The way in: entries into runs, runs bound to a handler and an object, records run in a tight loop.
#include <algorithm>

#include "location_parts.hpp"
#include "message/outside.hpp"
#include "message/trace_slice.hpp"
#include "sheaf/async/future.hpp"
#include "sheaf/message/exception_text.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

using detail::execution;
using detail::team_state;

namespace {

std::string where_from(execution const& state) {
  return " in an entry of location " + std::to_string(number(state.source)) +
         "; the processes run different builds, or memory was overwritten";
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_short_header(execution const& state, std::size_t left) {
  throw wire_error("sheaf: " + std::to_string(left) + " bytes where a run header needs " +
                   std::to_string(run_header::wire_bytes) + ", that of a lone record " +
                   std::to_string(run_header::lone_bytes) + where_from(state));
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_long_run(execution const& state, std::size_t bytes,
                                                           std::size_t left) {
  throw wire_error("sheaf: a run of " + std::to_string(bytes) + " bytes where " + std::to_string(left) + " are left" +
                   where_from(state));
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_no_handler(execution const& state, std::uint32_t handler) {
  throw wire_error("sheaf: no handler for this class of traffic has the number " + std::to_string(handler) +
                   where_from(state));
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_bad_sizes(execution const& state, run_header const& header) {
  throw wire_error("sheaf: a run of " + std::to_string(header.count) + " records in " + std::to_string(header.bytes) +
                   " bytes does not fit its handler (" + detail::readable(state.handler->name) + ", " +
                   std::to_string(state.handler->record_bytes) + " bytes a record)" + where_from(state));
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_bad_count(execution const& state) {
  throw wire_error("sheaf: a run announced " + std::to_string(state.count) + " records and held " +
                   std::to_string(state.begun) + " (" + detail::readable(state.handler->name) + ")" +
                   where_from(state));
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_destroyed(execution const& state, run_tag tag) {
  throw stray_request("sheaf: a request (" + detail::readable(state.handler->name) + ") for object " +
                      std::to_string(tag.object()) + " of team " + std::to_string(tag.team()) + " came from location " +
                      std::to_string(number(state.source)) +
                      " after it was destroyed here; fence before it goes out of scope");
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_wrong_type(execution const& state, run_tag tag) {
  throw wire_error("sheaf: object " + std::to_string(tag.object()) + " of team " + std::to_string(tag.team()) +
                   " has another type here than " + detail::readable(state.handler->name) + where_from(state));
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_orphans(execution const& state) {
  throw stray_request("sheaf: " + std::to_string(state.orphans) + (state.orphans == 1 ? " request" : " requests") +
                      " (" + detail::readable(state.handler->name) + ") of location " +
                      std::to_string(number(state.source)) +
                      " came for an object that a method before them in the same run destroyed or withdrew; fence (the "
                      "world, for a published object) before it goes");
}

bool sizes_fit(run_header const& header, detail::handler_entry const& handler) {
  if (header.count == 0 || header.bytes == 0) return false;
  return handler.record_bytes == 0 || std::uint64_t{handler.record_bytes} * header.count == header.bytes;
}

}  // namespace

bool location::receive_one(wanted which) {
  arrival entry;
  if (!endpoint_.receive(stopped() ? wanted::answers : which, entry)) return false;
  if (detail::insight) parts_->out.counts.link(number(entry.source)).received(entry.bytes.size());
  if (gate_ != nullptr && detail::outside(*this).must_wait(entry)) [[unlikely]]
    return true;
  execution state;
  state.at = state.run_end = entry.bytes.data();
  state.entry_end = entry.bytes.data() + entry.bytes.size();
  state.source = entry.source;
  state.kind = entry.kind;
  execute(state);
  return true;
}

/// Runs the entry to its end, or until a run must be held.
void location::execute(execution& state) {
  bool const requests = state.kind == traffic::request;
  state.outer = active_;
  active_ = &state;
  depth_ += requests ? 1 : 0;
  struct leave {
    location& here;
    execution& state;
    bool requests;
    ~leave() {
      here.depth_ -= requests ? 1 : 0;
      here.active_ = state.outer;
    }
  } const guard{*this, state, requests};
  run_entry(state);
}

/// Goes on with the entry where it stands; also called while an outer frame is inside one of its handlers.
void location::run_entry(execution& state) {
  detail::restoring const none(in_continuation_, detail::continuing());
  while (true) {
    if (endpoint_.trace() != nullptr) [[unlikely]] {
      detail::run_traced(*this, state);
    } else if (state.at != state.run_end) {
      if (gate_ == nullptr || state.kind == traffic::answer) [[likely]] {
        state.handler->run(*this, state.object, state);
      } else {
        detail::gate_break const outside(gate_);
        state.handler->run(*this, state.object, state);
      }
    }
    close_executed_run(state);
    if (state.finished() || !open_next_run(state)) break;
  }
  flush_answers(state);  // what came after a wait in the last record, or before records that are held, too
  if (!state.consumed) consume(state);
}

void location::flush_answers(execution const& state) {
  std::uint32_t const source = number(state.source);
  if (state.kind != traffic::request || parts_->out.of(traffic::answer).open_boxes() == 0) return;
  flush(source, traffic::answer, detail::flush_reason::answers);
}

void location::consume(execution& state) {
  state.consumed = true;
  if (state.kept != nullptr) [[unlikely]]
    return detail::outside(*this).forget(state.kept);
  endpoint_.consumed(state.source, state.kind);
}

/// Reads the header of the next run; returns its size.
std::size_t location::find_next_run(execution& state, run_header& header) {
  std::byte const* const from = state.run_end;
  auto const left = static_cast<std::size_t>(state.entry_end - from);
  std::size_t const head = run_header::read(from, left, header);
  if (head == 0) throw_short_header(state, left);
  if (header.bytes > left - head) throw_long_run(state, header.bytes, left - head);
  state.handler = detail::find_handler(header.tag.handler());
  if (state.handler == nullptr) state.handler = methods_.find(state.source, header.tag.handler());
  if (state.handler == nullptr || state.handler->kind != state.kind) throw_no_handler(state, header.tag.handler());
  if (!sizes_fit(header, *state.handler)) throw_bad_sizes(state, header);
  return head;
}

bool location::open_next_run(execution& state) {
  run_header header;
  std::size_t const head = find_next_run(state, header);
  if (state.handler->is_progress) ++activity_;
  if (state.kind == traffic::request) {
    if (!bind_object(state, header)) return false;
    running_.store(state.handler, std::memory_order_relaxed);
    if (detail::insight) parts_->out.counts.run(header.tag.handler(), header.count);
  }
  state.at = state.run_begin = state.run_end + head;
  state.run_end = state.at + header.bytes;
  state.count = header.count;
  state.begun = state.accounted = 0;
  return true;
}

/// Finds the team and the object of a run of requests. False: not registered here yet, the entry is held.
bool location::bind_object(execution& state, run_header const& header) {
  team_state* const team = find_team(header.tag.team());
  if (team == nullptr) return header.tag.is_published() ? bind_published(state, header) : (hold(state), false);
  state.object = nullptr;
  if (state.handler->object_type != nullptr) {
    std::uint32_t const number = header.tag.object();
    if (number >= team->objects.size()) return hold(state), false;
    auto const& entry = team->objects[number];
    if (entry.object == nullptr) {
      if (entry.destroyed) throw_destroyed(state, header.tag);
      return hold(state), false;
    }
    if (entry.type != state.handler->object_type) throw_wrong_type(state, header.tag);
    state.object = entry.object;
    state.object_number = number;
  }
  if (header.team_colour == static_cast<std::uint8_t>(team->colour + 1)) team->late = true;
  if (header.world_colour == static_cast<std::uint8_t>(world_->colour + 1)) world_->late = true;
  state.team = team;
  return true;
}

void location::close_executed_run(execution& state) {
  state.at = state.run_end;
  if (state.team == nullptr) return;
  if (state.orphans != 0) [[unlikely]]
    throw_orphans(state);
  if (state.handler->record_bytes == 0 && state.begun != state.count) throw_bad_count(state);
  user_begun_ += state.count - state.accounted;
  world_->executed += state.count;
  if (detail::insight) parts_->out.counts.link(number(state.source)).executed += state.count;
  if (state.team != world_) state.team->executed += state.count;
  state.team = nullptr;
}

/// Counts the records begun so far, the waiting one included.
void location::settle(execution& state) {
  if (state.team == nullptr) return;
  std::uint32_t const each = state.handler->record_bytes;
  std::uint32_t const begun =
      each == 0 ? state.begun
                : static_cast<std::uint32_t>((state.at - state.run_begin) / static_cast<std::ptrdiff_t>(each));
  user_begun_ += begun - state.accounted;
  state.accounted = begun;
}

/// In a nested wait: the rest of the entries that the waiting handlers came from goes on first, in order.
bool location::resume_interrupted() {
  bool any = false;
  for (execution* state = active_; state != nullptr; state = state->outer) {
    if (state->finished()) continue;
    any = true;
    run_entry(*state);
  }
  return any;
}

void location::defer(void (*run)(void*), void* context, detail::task_frame const* resumes) {
  detail::admission const inside(gate_);
  parts_->deferred.push_back({run, context, resumes});
  errands_ |= call_deferred;
}

bool location::run_deferred() {
  deferred_call const call = parts_->deferred.front();
  parts_->deferred.pop_front();
  if (parts_->deferred.empty()) errands_ &= static_cast<std::uint8_t>(~call_deferred);
  ++activity_;
  detail::continuing const what{true, call.resumes};
  detail::restoring const mark(in_continuation_, what);
  struct leave {
    std::uint32_t& depth;
    ~leave() { --depth; }
  } const guard{++depth_};
  detail::trace_slice const slice(endpoint_, detail::trace_event::continuation, "a continuation");
  try {
    detail::gate_break const outside(gate_);
    call.run(call.context);
  } catch (detail::unseen_error const& lost) {
    keep_unseen(lost);
  }
  // Who waits for an answer of a coroutine must not wait for what this location does next.
  if (!parts_->answered.empty() && parts_->deferred.empty()) flush_late_answers();
  return true;
}

void location::flush_late_answers() {
  detail::admission const inside(gate_);
  for (std::uint32_t const dest : parts_->answered) flush(dest, traffic::answer);
  parts_->answered.clear();
}

void location::flush_answers_soon(std::uint32_t dest) {
  detail::admission const inside(gate_);
  if (in_handler() && !in_continuation_.any) {
    // The end of the method's entry flushes what goes to its sender. Nothing later would flush what goes to others.
    bool const to_sender = active_ != nullptr && number(active_->source) == dest;
    return to_sender ? void() : flush(dest, traffic::answer);
  }
  auto& answered = parts_->answered;
  if (answered.empty() || answered.back() != dest) answered.push_back(dest);
}

void location::recall(void* context) noexcept {
  detail::admission const inside(gate_);
  parts_->deferred.each([&](deferred_call& call) {
    if (call.context == context) call = {[](void*) {}, nullptr};
  });
}

void location::keep_exception(team_state& team, std::string_view handler, location_id caller) {
  detail::admission const inside(gate_);
  auto& errors = team.errors;
  if (errors.count++ >= detail::kept_errors::most_texts) return;
  errors.texts.push_back(detail::exception_text(id(), handler, caller));
}

/// Keeps it for the team of the request that the future was for.
void location::keep_unseen(detail::unseen_error const& lost) {
  detail::admission const inside(gate_);
  auto const& teams = parts_->teams;
  auto const its =
      std::find_if(teams.begin(), teams.end(), [&](auto const& t) { return &t->awaited == lost.unanswered; });
  auto& errors = (its != teams.end() ? **its : *world_).errors;
  if (errors.count++ >= detail::kept_errors::most_texts) return;
  errors.texts.push_back("location " + std::to_string(number(id())) +
                         ", in a result that nobody asked for: " + std::string(without_prefix(lost.what())));
}

}  // namespace sheaf
