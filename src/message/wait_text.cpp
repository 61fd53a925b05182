// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Waits in words: of those on the stack, and of coroutines that are suspended.
#include "message/wait_text.hpp"

#include <algorithm>
#include <tuple>

#include "sheaf/message/cell_pool.hpp"
#include "sheaf/message/handler.hpp"

namespace sheaf::detail {
namespace {

constexpr std::size_t most_groups = 8;  // lines for the coroutines of a location
constexpr std::size_t most_calls = 32;  // that are told of those of a line

std::string of_team(std::uint32_t team) { return " of team " + std::to_string(team); }

std::string object_of(run_tag tag) {
  if (tag.is_published()) return " on the object published as number " + std::to_string(tag.object());
  return (tag.object() == 0 ? " on" : " on object " + std::to_string(tag.object())) + of_team(tag.team());
}

std::string method_of(run_tag tag) {
  handler_entry const* const handler = find_handler(tag.handler());
  return handler == nullptr ? "a method named by a pointer" : readable(handler->name);
}

/// Which request, as far as it is known.
std::string request_text(run_tag tag) { return tag.handler() == 0 ? "" : " to " + method_of(tag) + object_of(tag); }

/// The same of an object that migrates.
std::string request_text(run_tag tag, std::uint64_t object, std::uint64_t birth) {
  return " to " + method_of(tag) + " on object " + std::to_string(object) + " of member " + std::to_string(birth) +
         of_team(tag.team());
}

std::string whose(std::uint32_t on) { return "location " + std::to_string(on) + "'s"; }

/// What a coroutine is suspended for in the end: it may await another one.
struct root {
  future_state_base const* state;
  call_site from{};  ///< where the last of them awaits it; unknown where there is none between
};
root root_of(future_state_base const& first) {
  root found{&first};
  while (found.state->is_frame()) {
    awaiting const* const at = static_cast<task_frame const*>(found.state)->suspended_at();
    if (at == nullptr) break;
    if (at->from().file != nullptr) found.from = at->from();
    found.state = &at->on();
  }
  return found;
}

team_state const* team_of(future_state_base const& state, team_list const& teams) {
  auto const same = [&](auto const& team) { return team != nullptr && &team->awaited == state.unanswered; };
  auto const at = std::find_if(teams.begin(), teams.end(), same);
  return at == teams.end() ? nullptr : *at;
}

/// The answer that a state awaits.
awaited_text answer_of(future_state_base const& state, team_list const& teams) {
  if (state.is_frame()) return {" for a coroutine"};
  bool const outside = !state.services->continues;  // an attached thread's
  if (state.ready()) return {", and its result is there"};
  if (state.awaits == nullptr && !outside) return {" for the result of a coroutine or a continuation"};
  team_state const* const team = team_of(state, teams);
  if (team == nullptr || state.services->handler == nullptr)
    return {outside ? " for an answer" : " for others' answers"};
  std::uint64_t const call = outside ? 0 : call_number(call_space::promised, cell_pool::token_of(&state));
  std::uint32_t const handler = *state.services->handler, object = state.object_asked();
  run_tag const on_team(handler, object, team->id);
  if (state.services->kind == asked_kind::migrating)
    return {" for the answer" + request_text(on_team, object, state.asked()), wait_site::several, call};
  if (state.asked() == state.unknown_rank && team->size() > state.unknown_rank)
    return {" for an answer" + request_text(on_team), wait_site::several, call};
  if (state.asked() >= team->size()) return {" for the answers of all members" + request_text(on_team)};
  std::uint32_t const on = number(team->members[state.asked()]);
  bool const published = state.services->kind == asked_kind::published;
  run_tag const asked = published ? run_tag::of_published(object, 0).with_handler(handler) : on_team;
  return {" for " + whose(on) + " answer" + request_text(asked), on, call};
}

awaited_text future_text(future_state_base const& first, team_list const& teams) {
  root const end = root_of(first);
  awaited_text answer = answer_of(*end.state, teams);
  if (end.from.file != nullptr) answer.text = " for a coroutine that waits in co_await" + place(end.from) + answer.text;
  return answer;
}

std::string room_text(wait_site const& site) {
  std::string const text =
      site.on != wait_site::several
          ? " for room at location " + std::to_string(site.on) + ", which has not executed what it was sent"
          : " for room at others, which have not executed what they were sent";
  return site.tag.handler() == 0 ? text : text + "; the request is" + request_text(site.tag);
}

std::string answer_text(wait_site const& site) {
  if (site.object != 0)
    return " for the answer" + request_text(site.tag, site.object, site.birth) +
           ", which was last known to be at location " + std::to_string(site.on);
  return site.on == wait_site::several ? " for others' answers"
                                       : " for " + whose(site.on) + " answer" + request_text(site.tag);
}

std::string members_text(wait_site const& site) {
  std::string members = " for the members" + of_team(site.tag.team());
  if (site.root != wait_site::several) members += ", with root " + std::to_string(site.root);
  if (site.method.empty()) return members;
  return " of " + readable(site.method) + " on object " + std::to_string(site.object) + "," + members;
}

/// Coroutines whose lines would be the same.
struct group {
  frame_origin origin;
  call_site from;
  root awaited;
  std::uint64_t count = 0;

  [[nodiscard]] auto key() const {
    future_state_base const& on = *awaited.state;
    return std::tuple(origin.method.data(), origin.caller, from.file, from.line, awaited.from.file, awaited.from.line,
                      on.services, on.unanswered, on.asked(), on.object_asked(), on.awaits != nullptr);
  }
};

wait_report line_of(group const& all, future_state_base const& first, team_list const& teams) {
  awaited_text const on = future_text(first, teams);
  wait_report wait;
  wait.in = coroutine_text(all.origin);
  wait.text = "co_await" + place(all.from) + on.text;
  wait.on = on.on;
  return wait;
}

}  // namespace

std::string coroutine_text(frame_origin const& of) {
  if (of.method.empty()) return "a coroutine";
  return readable(of.method) + ", called by location " + std::to_string(of.caller);
}

std::string place(call_site const& from) {
  if (from.file == nullptr) return "";
  return ", called at " + std::string(from.file) + (from.line == 0 ? "," : ":" + std::to_string(from.line) + ",");
}

awaited_text purpose(wait_site const& site, team_list const& teams) {
  if (site.future != nullptr) return future_text(*site.future, teams);
  switch (site.for_what) {
    case awaited::answer:
      return {answer_text(site), site.on, site.call};
    case awaited::request:
      return {" for a request of any location"};
    case awaited::members:
    case awaited::fence:
      return {members_text(site)};
    case awaited::room:
      return {room_text(site), site.on};
    default:
      return {"", site.on};
  }
}

void report_suspended(frame_list const& list, team_list const& teams, location_report& to) {
  std::vector<group> groups;
  list.each_suspended([&](task_frame const& frame) {
    awaiting const& at = *frame.suspended_at();
    group const one{frame.origin(), at.from(), root_of(at.on())};
    auto same = std::find_if(groups.begin(), groups.end(), [&](group const& g) { return g.key() == one.key(); });
    if (same == groups.end() && groups.size() == most_groups) {
      ++to.more_suspended;
      return;
    }
    if (same == groups.end()) {
      groups.push_back(one);
      to.suspended.push_back(line_of(one, at.on(), teams));
      same = groups.end() - 1;
    }
    wait_report& line = to.suspended[static_cast<std::size_t>(same - groups.begin())];
    line.count = ++same->count;
    if (line.calls.size() < most_calls)
      line.calls.push_back({one.origin.caller, one.origin.answers, answer_of(*one.awaited.state, teams).call});
  });
}

}  // namespace sheaf::detail
