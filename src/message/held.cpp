// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Held entries: their next run is for an object or a team that is not registered here yet.
#include <algorithm>
#include <cstdio>

#include "location_parts.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

using detail::execution;

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
void location::hold(execution& state) {
  parts_->held.push_back(state);
  if (detail::insight) parts_->out.counts.raise(parts_->out.counts.held_high, parts_->held.size());
  if (!parts_->told_of_held && blocks_fence(state)) tell_of_held();
  state.at = state.run_end = state.entry_end;
  state.consumed = true;
}

/// Goes on with the first held entry that can. The others stay in reach of a handler that waits in it.
bool location::retry_held() {
  if (parts_->others != nullptr) parts_->others->stalled = 0;
  for (std::size_t left = parts_->held.size(); left != 0; --left) {
    execution state = parts_->held.front();
    parts_->held.pop_front();
    std::byte const* const before = state.run_begin;
    execute(state);
    if (state.run_begin == before) continue;  // no run was opened
    parts_->told_of_held = false;
    return true;
  }
  errands_ &= static_cast<std::uint8_t>(~try_held);
  return false;
}

/// A request that was sent before its sender's latest cut which this location has taken, too: the fence counts it as
/// sent and waits for it, and the program stands in that fence. What a faster member sends from behind the fence has
/// the colour of the last cut.
bool location::blocks_fence(execution const& held) const {
  if (!waiting()) return false;
  run_header const header = next_run(held);
  if (behind(header.world_colour, world_->colour)) return true;
  std::uint32_t const team = header.tag.team();
  return team < teams_end_ && teams_[team] != nullptr && behind(header.team_colour, teams_[team]->colour);
}

void location::look_at_held() {
  auto const& held = parts_->held;
  if (held.empty() || parts_->told_of_held) return;
  if (std::any_of(held.begin(), held.end(), [this](execution const& e) { return blocks_fence(e); })) tell_of_held();
}

void location::tell_of_held() {
  parts_->told_of_held = true;
  std::fprintf(stderr,
               "sheaf: warning: location %u is in a fence that waits for requests whose object does not exist there; "
               "if no remote method registers it, the fence will not end. All members of a team register the same "
               "objects in the same order.%s\n",
               number(id()), held_requests().c_str());
}

std::string location::held_requests() const {
  constexpr std::size_t most_lines = 4;
  std::string text;
  std::size_t lines = 0;
  for (execution const& e : parts_->held) {
    if (++lines > most_lines) return text + "\n  and more";
    run_header const header = next_run(e);
    std::uint32_t const team = header.tag.team();
    text += "\n  location " + std::to_string(number(id())) + " holds " + several(header.count, "request") + " (" +
            detail::readable(e.handler->name) + ") of location " + std::to_string(number(e.source)) + " for ";
    if (team >= teams_end_ || teams_[team] == nullptr) {
      text += "team " + std::to_string(team) + ", which was never made here";
    } else {
      text += "object " + std::to_string(header.tag.object()) + " of team " + std::to_string(team) +
              ", which was never registered here (" + several(teams_[team]->next_object - 1, "object") + " of it " +
              (teams_[team]->next_object == 2 ? "was)" : "were)");
    }
  }
  return text;
}

}  // namespace sheaf
