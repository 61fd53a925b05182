// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/fence.hpp"

namespace sheaf::detail {

/// A subset of the requests on a team's objects (of the world's: published ones, too) with a fence of its own: what is
/// sent under `sending`, and what the handlers of these requests send on the team's objects, to any depth. A
/// continuation or coroutine continues in the scope in which it was attached or suspended. The fence does not wait for
/// other requests, except for an earlier request of the same member that one to a migrating object has overtaken. The
/// programs of all members make and destroy scopes in the same order. After its last fence a scope is empty, and its
/// number may be used again.
class scope {
 public:
  /// Whether requests carry their generation in the scope, up to run_scope::most_generations.
  enum class generations : bool { uncounted, counted };

  /// Costs no message. Throws usage_error where the team has run_scope::most open scopes.
  explicit scope(team const& of, generations counted = generations::uncounted)
      : team_(of), state_(state_of(of)), sends_in_(of.id(), opened(of), counted == generations::counted ? 1 : 0) {
    ++state_.keepers;
  }
  ~scope() {
    state_.close_scope(sends_in_.number());
    state_.let_go();
  }
  scope& operator=(scope&&) = delete;

  [[nodiscard]] std::uint32_t number() const { return sends_in_.number(); }

  /// As long as the result lives, what the calling thread sends on the team's objects belongs to the scope. Attached
  /// threads end it before their location enters the fence, methods before they return or await.
  [[nodiscard]] sending_in sending() const { return sending_in(here_of(team_).out(), sends_in_); }

  /// Collective. As fence, for the requests of the scope: returns on no member before all have called it and all of
  /// them have finished. It also waits for split-phase requests and suspended coroutines of the team that belong to no
  /// scope, until no continuation is due here, and until what was sent here, in whatever scope, has left. Throws
  /// remote_error for exceptions of the team's methods since its last fence, of the scope or not.
  void fence(call_site where = call_site::here()) const {
    sending_in const meanwhile = sending();  // so that what it executes need not enter the scope entry by entry
    detail::run_fence(call(says("a fence"), where), nullptr);
  }

  /// A fence of the scope that brings a reduction of a value of each member, as fence(team, own, op) does.
  auto fence(auto const& own, auto const& op, call_site where = call_site::here()) const {
    sending_in const meanwhile = sending();
    return fence_with(call(says<decltype(now_of(own))>("a fence"), where), own, op);
  }

 private:
  static std::uint32_t opened(team const& of) {
    here_of(of).check_owner("a scope");
    return state_of(of).open_scope();
  }
  [[nodiscard]] collective_call call(collective_said said, call_site where) const {
    collective_call all{team_, said, where};
    all.scope = number();
    return all;
  }

  team const team_;
  team_state& state_;
  run_scope const sends_in_;
};

}  // namespace sheaf::detail
