// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/fence.hpp"
#include "sheaf/message/sender.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/gate.hpp"
#include "message/router.hpp"
#include "runtime/fence_machine.hpp"
#include "runtime/value_machines.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/runtime/scope.hpp"

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

/// Calls `visit` with the counts of the scope, or of every covered team.
void each_covered(location& here, team_state& team, scope_counts& of, auto visit) {
  if (&of != static_cast<scope_counts*>(&team)) return visit(of);
  each_covered_team(here, team, visit);
}

/// A number of errors, and texts as far as they fit.
using some_errors = std::pair<std::uint64_t, std::vector<std::string>>;

/// Takes the errors kept here.
some_errors take_errors(location& here, team_state& team, scope_counts& of) {
  some_errors own;
  each_covered(here, team, of, [&](scope_counts& one) {
    own.first += one.errors.count;
    for (auto& text : one.errors.texts) {
      if (own.second.size() < kept_errors::most_texts) own.second.push_back(std::move(text));
    }
    one.errors = {};
  });
  return own;
}

[[noreturn]] void throw_errors(collective_call const& call, std::vector<some_errors> const& everybodys) {
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
  std::string const team = "team " + std::to_string(call.members.id());
  std::string const what = call.scope != 0
                               ? (total == 1 ? " error in an epoch of " : " errors in an epoch of ") + team
                               : (total == 1 ? " remotely invoked method threw" : " remotely invoked methods threw") +
                                     (" since the last fence of " + team);
  throw remote_error("sheaf: " + std::to_string(total) + what +
                         (total > shown.size() ? "; the first " + std::to_string(shown.size()) + ":" : ":") + list,
                     total);
}

/// The collective operation behind a fence in which the members tell each other their errors. That of a scope, which
/// members may begin at different times, always has its number.
collective_call telling_errors(team const& members) {
  collective_call call{members, says<some_errors>("all_gather"), {"the end of a fence", 0}};
  call.is_beside = true;
  return call;
}

/// What is known of the scope's requests is void. Errors that came too late for its end are for the team's fence.
void end_scope(location& here, team_state& team, std::uint32_t scope, bool told) {
  scope_counts& its = team.counts_of(scope);
  team.count_end(scope);
  ++here.out().scope_changes;
  if (told || its.errors.count == 0) return;
  kept_errors const late = std::exchange(its.errors, {});
  for (std::string const& text : late.texts) team.errors.add([&] { return text; });
  team.errors.count += late.count - late.texts.size();
}

/// The split-phase fence of a scope. It tries its next cut when a message of it has come and, at rest, when something
/// else has happened since the last try.
template <class Detector>
class begun_fence final : public begun_operation {
 public:
  begun_fence(collective_call const& call, std::unique_ptr<begun_call> owner)
      : begun_operation(state_of(call.members)),
        here_(here_of(call.members)),
        state_(state_of(call.members)),
        scope_(call.scope),
        owner_(std::move(owner)),
        machine_(call, owner_ == nullptr ? nullptr : owner_->fenced()),
        telling_(telling_errors(call.members), tree_use::all_reduce, errors_, {&append_encoded, nullptr}) {
    here_.watch().count_fences(+1);
    state_.set_fenced(scope_, true);
    ++state_.begun;
    admission const inside(here_.gate());
    here_.in().run_as_method([this] { here_.out().flush(flush_reason::asked); });  // the program may compute now
  }
  ~begun_fence() override {
    admission const inside(here_.gate());
    here_.watch().count_fences(-1);
    state_.set_fenced(scope_, false);
    --state_.begun;
    end_scope(here_, state_, scope_, machine_.error());
    state_.bury_faded();
  }

  bool advance() override {
    admission const inside(here_.gate());
    if (!ended_) {
      call_to_the_end("own() of an epoch", [&] { ended_ = machine_.advance(); });
      tried_at_ = stirs();
      if (!ended_ || !machine_.error()) return ended_;
      errors_ = encode(take_errors(here_, state_, state_.counts_of(scope_)));
    }
    return !machine_.error() || telling_.advance();
  }
  [[nodiscard]] bool is_stirred() const override { return !ended_ && stirs() != tried_at_; }
  void abandon(std::uint32_t scope) override {
    if (scope != scope_ || owner_ == nullptr || owner_->fenced() == nullptr) return;
    owner_->fenced()->own_to = [](void const*, std::byte*) {};  // any value will do, since all throw
  }
  void end() override {
    if (owner_ == nullptr) return;
    owner_->values().one = std::move(errors_);
    owner_->end();
  }

 private:
  /// Changes with all that may let it go on.
  [[nodiscard]] std::uint64_t stirs() const {
    return here_.in().activity() + beside_detector::progress(here_, state_.counts_of(scope_));
  }

  location& here_;
  team_state& state_;
  std::uint32_t const scope_;
  std::unique_ptr<begun_call> const owner_;
  fence_machine<Detector> machine_;
  encoded errors_;
  tree_machine telling_;
  bool ended_ = false;
  std::uint64_t tried_at_ = 0;
};

/// The wait of the location's own thread for what requests and replies bring about.
void wait_for(location& here, char const* what, awaited for_what, call_site where, auto done) {
  here.check_owner(what, where);
  here.check_may_wait(wait_kind::answer, what, where);
  here.wait(wait_kind::answer, {.what = what, .for_what = for_what, .from = where}, done);
}

}  // namespace

void run_fence(collective_call const& call, fence_value* value) {
  location& here = here_of(call.members);
  team_state& team = state_of(call.members);
  here.check_may_wait(wait_kind::collective, call.said.what, call.from);
  admission const inside(here.gate());
  encoded errors;
  std::optional<tree_machine> telling;
  auto const tell = [&] {
    telling.emplace(telling_errors(call.members), tree_use::all_reduce, errors,
                    encoded_operation{&append_encoded, nullptr});
  };
  bool const any = with_detector<sound_detector>(call.how.by, [&](auto its) {
    fence_machine<typename decltype(its)::type> machine(call, value);
    if (call.scope != 0) tell();  // has its number now, as in a split-phase fence
    finish(here, machine, waits_for(call, awaited::fence));
    return machine.error();
  });
  if (call.scope != 0) end_scope(here, team, call.scope, any);
  if (!any) return;
  if (!telling) tell();
  errors = encode(take_errors(here, team, team.counts_of(call.scope)));
  finish(here, *telling, waits_for(call));
  throw_fence_errors(call, errors);
}

void abandon_fence(team const& members, std::uint32_t scope) {
  location& here = here_of(members);
  admission const inside(here.gate());
  for (auto const& each : collectives_of(here).apart().begun) {
    if (&each->team == &state_of(members)) each->abandon(scope);
  }
}

std::unique_ptr<begun_operation> begun_fence_for(collective_call const& call, std::unique_ptr<begun_call> owner) {
  return with_detector<beside_detector>(call.how.by, [&](auto its) -> std::unique_ptr<begun_operation> {
    return std::make_unique<begun_fence<typename decltype(its)::type>>(call, std::move(owner));
  });
}

void throw_fence_errors(collective_call const& call, encoded const& errors) {
  throw_errors(call, decode_all<some_errors>(bytes_of(errors), call.members.size()));
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

bool has_begun(location& here, team_state& team) {
  bool any = false;
  each_covered_team(here, team, [&](team_state const& one) { any = any || one.begun != 0; });
  return any;
}

bool keeps_errors(location& here, team_state& team, scope_counts& of) {
  bool any = false;
  auto const look = [&](scope_counts const& one) { any = any || one.errors.count != 0; };
  each_covered(here, team, of, look);
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
    if (here.in().in_handler() || (here.out().routes.all_taken() && here.connection().counts().in_parts == 0)) return;
  }
  detail::wait_site const site{.what = "flush", .for_what = detail::awaited::room, .from = where};
  here.wait(detail::wait_kind::credit, site,
            [&] { return here.out().routes.all_taken() && here.connection().counts().in_parts == 0; });
  detail::admission const inside(here.gate());
  here.connection().flush();  // what had waited for credit has reached the transport just now
}

}  // namespace sheaf
