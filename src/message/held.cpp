// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Held entries: their next run is for an object or a team that is not registered here yet.
#include <algorithm>
#include <cstdio>

#include "base/insight.hpp"
#include "message/outside.hpp"
#include "message/parked.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

namespace {

run_header next_run(execution const& held) {
  run_header header;
  static_cast<void>(run_header::read(held.run_end, static_cast<std::size_t>(held.entry_end - held.run_end), header));
  return header;
}

std::string several(std::uint32_t count, std::string const& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Whether the sender had taken fewer cuts than this location when it sent. Both are modulo 256.
bool behind(std::uint8_t sent_at, std::uint8_t colour) {
  auto const by = static_cast<std::uint8_t>(colour - sent_at);
  return by != 0 && by < 128;
}

}  // namespace

/// Puts the rest of an entry aside until its object is registered. Its pair stands still meanwhile: its credit is kept.
void executor::hold(execution& state) {
  parked_->held.push_back(state);
  if (insight) here_.out().counts.raise(here_.out().counts.held_high, parked_->held.size());
  if (!parked_->told_of_held && blocks_fence(state)) tell_of_held();
  state.at = state.run_end = state.entry_end;
  state.consumed = true;
  state.keeper = nullptr;  // that of the held entry now
}

/// Goes on with the first held entry that can. The others stay in reach of a handler that waits in it.
bool executor::retry_held() {
  bool all_tried = true;
  for (std::size_t left = parked_->held.size(); left != 0; --left) {
    execution state = parked_->held.front();
    parked_->held.pop_front();
    if (!covers(allowed(), state.kind)) {
      parked_->held.push_back(state);
      all_tried = false;
      continue;
    }
    std::byte const* const before = state.run_begin;
    if (gate_ != nullptr) outside::of(here_).look_at_all();
    execute(state);
    if (state.run_begin == before) continue;  // no run was opened
    parked_->told_of_held = false;
    return true;
  }
  if (all_tried) done_with(errand::try_held);
  return false;
}

/// A request that was sent before its sender's latest cut which this location has taken, too: the fence counts it as
/// sent and waits for it, and the program stands in that fence. What a faster member sends from behind the fence has
/// the colour of the last cut.
bool executor::blocks_fence(execution const& held) const {
  if (!waiting()) return false;
  run_header const header = next_run(held);
  registry const& known = here_.registered();
  if (behind(header.world_colour, known.world().colour)) return true;
  team_state* const team = known.find_team(header.tag.counting_team());
  if (team == nullptr) return false;
  if (!header.tag.is_published() && behind(header.team_colour, team->colour)) return true;
  std::uint32_t const scope = header.in_scope().number();
  auto const by = static_cast<unsigned>(team->counts_of(scope).colour - header.scope_colour()) & 3U;
  return scope != 0 && (by == 1 || by == 2);
}

void executor::look_at_held() {
  auto const& held = parked_->held;
  if (held.empty() || parked_->told_of_held) return;
  if (std::any_of(held.begin(), held.end(), [this](execution const& e) { return blocks_fence(e); })) tell_of_held();
}

void executor::tell_of_held() {
  parked_->told_of_held = true;
  std::fprintf(stderr,
               "sheaf: warning: location %u is in a fence that waits for requests whose object does not exist there; "
               "if no remote method registers it, the fence will not end. All members of a team register the same "
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
    text += "\n  location " + std::to_string(number(here_.id())) + " holds " + several(header.count, "request") + " (" +
            readable(e.handler->name) + ") of location " + std::to_string(number(e.source)) + " for ";
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
