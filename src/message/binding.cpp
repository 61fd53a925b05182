// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Of the executor: the header of a run, and to what it is bound.
#include <cstring>

#include "base/insight.hpp"
#include "message/run_facts.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

std::string where_from(execution const& state) {
  return " in an entry of " + name_of(state.source) + "; the processes run different builds, or memory was overwritten";
}

namespace {

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
  if (handler_entry const* const known = find_handler(handler); known != nullptr) {
    throw wire_error("sheaf: the handler " + readable(known->name) + " takes " +
                     (is_request(known->kind) ? "requests" : "answers") + ", and a record for it came in class " +
                     std::to_string(static_cast<unsigned>(state.kind)) +
                     " (1: answers; all others: requests; docs/internals/message-api.md)" + where_from(state));
  }
  throw wire_error("sheaf: no handler has the number " + std::to_string(handler) + where_from(state));
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_bad_sizes(execution const& state, run_header const& header) {
  if (header.bytes == 0 && state.handler->record_bytes == 0)
    throw wire_error("sheaf: values of " + readable(state.handler->name) + " came in no bytes from " +
                     name_of(state.source) + "; codec::size of its arguments must be at least 1 in all");
  throw wire_error("sheaf: a run of " + std::to_string(header.count) + " records in " + std::to_string(header.bytes) +
                   " bytes does not fit its handler (" + readable(state.handler->name) + ", " +
                   std::to_string(state.handler->record_bytes) + " bytes a record)" + where_from(state));
}

bool sizes_fit(run_header const& header, handler_entry const& handler) {
  if (header.count == 0 || header.bytes == 0) return false;
  return handler.record_bytes == 0 || std::uint64_t{handler.record_bytes} * header.count == header.bytes;
}

}  // namespace

/// Reads the header of the next run, and of one of questions its number; returns their size.
std::size_t executor::find_next_run(execution& state, run_header& header) const {
  std::byte const* const from = state.run_end;
  auto const left = static_cast<std::size_t>(state.entry_end - from);
  std::size_t head = 0;
  if (state.piece_of != nullptr) [[unlikely]] {
    header = *state.piece_of;
  } else {
    head = run_header::read(from, left, header);
    if (head == 0) throw_short_header(state, left);
  }
  if (header.bytes > left - head) throw_long_run(state, header.bytes, left - head);
  state.handler = find_handler(header.tag.handler());
  if (state.handler == nullptr) state.handler = here_.calls().methods.find(state.source, header.tag.handler());
  if (state.handler == nullptr || is_request(state.handler->kind) != is_request(state.kind))
    throw_no_handler(state, header.tag.handler());
  if (state.handler->asks) {
    std::uint32_t run = 0;
    if (header.bytes <= sizeof run || header.count > question_run::most) throw_bad_sizes(state, header);
    std::memcpy(&run, from + head, sizeof run);
    state.question = std::uint64_t{run} << question_run::place_bits;
    head += sizeof run;
    header.bytes -= sizeof run;
  } else if (!is_request(state.kind)) {
    state.question = header.tag.question();
  }
  if (!sizes_fit(header, *state.handler)) throw_bad_sizes(state, header);
  return head;
}

/// Of a lone request whose header says that the sender has taken no cut before this location: that stays so.
void executor::remember(execution const& state, run_header const& header, std::size_t head) {
  bool const is_lone = head == run_header::lone_bytes && state.run_end == state.entry_begin;
  if (!is_lone || state.kind != traffic::request || header.tag.is_published() || gate_ != nullptr) return;
  bool const is_late = is_behind(state.team->colour, header.team_colour) ||
                       is_behind(here_.registered().world().colour, header.world_colour);
  if (state.object == nullptr || state.handler->has_method || is_late) return;
  std::memcpy(lone_.header.data(), state.run_end, lone_.header.size());
  lone_.tag = header.tag;
  lone_.changes = here_.registered().changes();
  lone_.handler = state.handler;
  lone_.object = state.object;
  lone_.team = state.team;
  lone_.object_number = state.object_number;
}

bool executor::open_next_run(execution& state) {
  run_header header;
  std::size_t const head = find_next_run(state, header);
  if (state.handler->is_progress) ++activity_;
  if (is_request(state.kind)) {
    if (!here_.registered().bind(state, header)) {
      hold(state);
      return false;
    }
    remember(state, header, head);
    running_.relax(state.handler);
    if (insight && !state.handler->carries) here_.out().counts.run(header.tag.handler(), header.count);
    here_.out().enter(state.scope.of_handler());
  }
  state.at = state.run_begin = state.run_end + head;
  state.run_end = state.at + header.bytes;
  state.count = header.count;
  state.begun = state.accounted = 0;
  return true;
}

}  // namespace sheaf::detail
