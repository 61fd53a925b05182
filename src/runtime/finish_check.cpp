// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/finish_check.hpp"

#include <array>
#include <cstdint>

#include "sheaf/base/error.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {
namespace {

constexpr char const* advice =
    ". This is a bug in Sheaf, or memory was overwritten: run with -fsanitize=address, report it";

using counts = std::array<std::uint64_t, 2>;  // sent, executed

/// Answers may be: those of the last fence, which others do not wait for.
bool any_unsent_request(location& here) { return !here.out().of(traffic::request).all_sent(); }

}  // namespace

std::string leftovers(location& here) {
  admission const inside(here.gate());
  std::string text;
  auto const add = [&](std::string const& what) { text += (text.empty() ? "" : ", ") + what; };
  if (any_unsent_request(here)) add("requests that have not been sent");
  if (here.out().reserve_used() != 0) add(std::to_string(here.out().reserve_used()) + " bytes that wait for credit");
  for (std::uint32_t id = 0; id < here.registered().teams_end(); ++id) {
    team_state const* const team = here.registered().find_team(id);
    if (team == nullptr || team->awaited == 0) continue;
    add(std::to_string(team->awaited) + " unanswered requests of team " + std::to_string(id));
  }
  if (text.empty() && here.out().empty() && !here.in().quiet(here.registered().world()))
    add("continuations that have not run");
  std::string const held = here.in().held_requests();
  if (!held.empty()) add("requests for objects that are not there:" + held);
  return text;
}

void check_finished(team const& world) {
  location& here = world.here();
  std::string const left = leftovers(here);
  if (!left.empty()) {
    throw error("after the last fence location " + std::to_string(number(here.id())) + " still has " + left + advice);
  }
  team_state const& own = here.registered().world();
  auto const add = [](counts a, counts const& b) { return counts{a[0] + b[0], a[1] + b[1]}; };
  counts const sum = all_reduce(world, counts{own.sent, own.executed}, add, {"the end of the program", 0});
  if (sum[0] == sum[1]) return;
  throw error("after the last fence all locations have sent " + std::to_string(sum[0]) + " requests and executed " +
              std::to_string(sum[1]) + advice);
}

}  // namespace sheaf::detail
