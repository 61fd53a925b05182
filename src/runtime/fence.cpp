// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/fence.hpp"
#include "sheaf/message/sender.hpp"

#include <string>
#include <vector>

#include "base/gate.hpp"
#include "runtime/fence_machine.hpp"
#include "sheaf/message/guarded_run.hpp"

namespace sheaf {
namespace detail {
namespace {

/// Calls `visit` with the team, or with every team of this location when it is the world.
void each_covered_team(location& here, team_state& team, auto visit) {
  visit(team);
  if (team.id != 0) return;
  std::uint32_t const teams = here.registered().teams_end();
  for (std::uint32_t id = 1; id < teams; ++id) {
    if (team_state* const other = here.registered().find_team(id)) visit(*other);
  }
}

/// Takes the errors kept here, texts as far as they fit, and throws those of all.
[[noreturn]] void throw_errors(team const& members) {
  std::pair<std::uint64_t, std::vector<std::string>> own;
  each_covered_team(here_of(members), state_of(members), [&](team_state& one) {
    own.first += one.errors.count;
    for (auto& text : one.errors.texts) {
      if (own.second.size() < kept_errors::most_texts) own.second.push_back(std::move(text));
    }
    one.errors = {};
  });
  auto const everybodys = all_gather(members, own, {"the end of a fence", 0});
  std::uint64_t total = 0;
  std::vector<std::string> shown;
  for (auto const& [number, some] : everybodys) total += number;
  for (std::size_t turn = 0; turn < kept_errors::most_texts; ++turn) {
    for (auto const& [number, some] : everybodys) {
      if (turn < some.size() && shown.size() < kept_errors::most_texts) shown.push_back(some[turn]);
    }
  }
  std::string list;
  for (std::string const& text : shown) list += "\n  " + text;
  throw remote_error("sheaf: " + std::to_string(total) +
                         (total == 1 ? " remotely invoked method threw" : " remotely invoked methods threw") +
                         " since the last fence of team " + std::to_string(members.id()) +
                         (total > shown.size() ? "; the first " + std::to_string(shown.size()) + ":" : ":") + list,
                     total);
}

/// The wait of the location's own thread for what requests and replies bring about.
void wait_for(location& here, char const* what, awaited for_what, call_site where, auto done) {
  here.check_owner(what, where);
  here.check_may_wait(wait_kind::answer, what, where);
  here.wait(wait_kind::answer, {.what = what, .for_what = for_what, .from = where}, done);
}

}  // namespace

void run_fence(collective_call const& call, fence_value* value) {
  location& here = here_of(call.members);
  here.check_may_wait(wait_kind::collective, call.said.what, call.from);
  admission const inside(here.gate());
  bool error = false;
  {
    fence_machine<sound_detector> machine(call, value);
    finish(here, machine, waits_for(call, awaited::fence));
    error = machine.error();
  }
  if (error) [[unlikely]]
    throw_errors(call.members);
}

void fence_value::add(std::byte* mine, std::byte const* theirs) const {
  call_to_the_end("the operation of a fence", [&] { add_to(op, mine, theirs); });
}

void take_value(location& here, team_state const& team, fence_value& value) {
  call_to_the_end("own() of a fence", [&] { here.in().run_as_method([&] { value.own_to(value.own, value.longer); }); });
  if (here.in().quiet(team)) return;
  throw usage_error("sheaf: own() of a fence of team " + std::to_string(team.id) +
                    " sends requests; it must only compute, since the fence has counted all requests already");
}

/// Outside of the gate, as methods are, since the condition may take a lock. What happens here meanwhile, or what the
/// condition itself executes, may make it true, and nothing else may ever come: so it is tested again.
void wait_until(bool (*done)(void const*), void const* of, call_site where) {
  location& here = current("wait_until", where);
  wait_for(here, "wait_until", awaited::condition, where, [&] {
    while (true) {
      std::uint64_t const before = here.in().activity();
      {
        gate_break const outside(here.gate());
        if (done(of)) return true;
      }
      if (here.in().activity() == before) return false;
    }
  });
}

bool keeps_errors(location& here, team_state& team) {
  bool any = false;
  each_covered_team(here, team, [&](team_state const& one) { any = any || one.errors.count != 0; });
  return any;
}

}  // namespace detail

void wait_for_request(call_site where) {
  detail::location& here = detail::current("wait_for_request", where);
  detail::wait_for(here, "wait_for_request", detail::awaited::request, where,
                   [&] { return here.in().unclaimed_requests() != 0; });
  here.in().claim_request();
}

void flush(call_site where) {
  detail::location& here = detail::current("flush", where);
  here.out().flush();
  {
    detail::admission const inside(here.gate());
    if (here.in().in_handler() || (here.out().empty() && here.connection().counts().in_parts == 0)) return;
  }
  detail::wait_site const site{.what = "flush", .for_what = detail::awaited::room, .from = where};
  here.wait(detail::wait_kind::credit, site,
            [&] { return here.out().empty() && here.connection().counts().in_parts == 0; });
  detail::admission const inside(here.gate());
  here.connection().flush();  // what had waited for credit has reached the transport just now
}

}  // namespace sheaf
