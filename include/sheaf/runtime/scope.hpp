// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/detail/collective_plans.hpp"
#include "sheaf/runtime/fence.hpp"

namespace sheaf::detail {

/// Throws what the errors of all members, encoded, make the end of a fence throw.
[[noreturn]] void throw_fence_errors(collective_call const& call, encoded const& errors);

/// Asks the program no more for values of the scope's split-phase fence.
void abandon_fence(team const& members, std::uint32_t scope);

/// The fence of a scope, with a value unless Own is `unit`.
template <class Own, class Op>
struct fence_plan : collective_plan {
  Own own;
  Op op;
  fence_value carried{};

  fence_plan(collective_call const& of, Own value, Op by)
      : collective_plan{of, collective_kind::fence}, own(std::move(value)), op(std::move(by)) {}
  fence_value* fenced() {
    if constexpr (std::is_same_v<Own, unit>) {
      return nullptr;
    } else {
      if (carried.own == nullptr) carry(carried, own, op);
      return &carried;
    }
  }
  auto take() const {
    if (!values.one.empty()) throw_fence_errors(call, values.one);
    if constexpr (!std::is_same_v<Own, unit>) return decode<fenced_type<Own>>({carried.longer, carried.bytes});
  }
};

/// A subset of the requests on a team's objects (of the world's: published ones, too) with a fence of its own: what is
/// sent under `sending`, and what the handlers of these requests send on the team's objects, to any depth. A
/// continuation or coroutine continues in the scope in which it was attached or suspended. The fence does not wait for
/// other requests, except for an earlier request of the same member that one to a migrating object has overtaken. The
/// programs of all members make and destroy scopes in the same order. After its last fence a scope is empty, and its
/// number may be used again.
class scope {
 public:
  /// Costs no message. Throws usage_error where the team has most_open_scopes open ones.
  explicit scope(team const& of, detection how = {}, call_site where = {})
      : team_(of), state_(state_of(of)), how_(how), sends_in_(of.id(), opened(of, where), first_generation(how)) {
    ++state_.keepers;
  }
  ~scope() {
    close();
    state_.let_go();
  }
  scope& operator=(scope&&) = delete;

  [[nodiscard]] std::uint32_t number() const { return sends_in_.number(); }

  /// Nothing will be sent in it by this member's program, except that it is fenced once more. All members close their
  /// scopes in the same order.
  void close() {
    if (!std::exchange(is_open_, false) || !team_.is_here()) return;
    admission const inside(here_of(team_).gate());
    state_.close_scope(number());
  }

  /// As long as the result lives, what the calling thread sends on the team's objects belongs to the scope. Attached
  /// threads end it before their location enters the fence, methods before they return or await.
  [[nodiscard]] sending_in sending() const { return sending_in(here_of(team_).out(), sends_in_); }

  /// As `sending`, for the typed messages alone that this thread's program sends.
  [[nodiscard]] run_scope for_messages() const { return sends_in_.of_messages(); }

  /// Collective. As fence, for the requests of the scope: returns on no member before all have called it and all of
  /// them have finished. It also waits for split-phase requests and suspended coroutines of the team that belong to no
  /// scope, until no continuation is due here, and until what was sent here, in whatever scope, has left. Throws
  /// remote_error for exceptions of the scope's methods since its last fence.
  void fence(call_site where = call_site::here()) const {
    sending_in const meanwhile = sending();  // so that what it executes need not enter the scope entry by entry
    detail::run_fence(call(says("the end of an epoch"), where), nullptr);
  }

  /// A fence of the scope that brings a reduction of a value of each member, as fence(team, own, op) does.
  auto fence(auto const& own, auto const& op, call_site where = call_site::here()) const {
    sending_in const meanwhile = sending();
    return fence_with(call(says<decltype(now_of(own))>("the end of an epoch"), where), own, op);
  }

  /// The split-phase forms. Members may mix them with the others. The future has what the fence throws. Only the
  /// program may call it, and it proceeds in the program's calls and waits; the scope stays until the future is ready.
  [[nodiscard]] future<void> ask_fence(call_site where = call_site::here()) const {
    return start_plan(fence_plan<unit, unit>(call(says("the end of an epoch"), where), {}, {}));
  }
  template <class Own, class Op>
  [[nodiscard]] auto ask_fence(Own own, Op op, call_site where = call_site::here()) const {
    collective_call const its = call(says<fenced_type<Own>>("the end of an epoch"), where);
    return start_plan(fence_plan<Own, Op>(its, std::move(own), std::move(op)));
  }

  /// As ask_fence, without a future: nobody here waits for it, and this object may end meanwhile.
  void begin_fence(call_site where) const {
    begin(call(says("the end of an epoch"), where), collective_kind::fence, nullptr);
  }

 private:
  /// Where the last fence of a scope with the same number goes on, it waits for that.
  static std::uint32_t opened(team const& of, call_site where) {
    location& here = here_of(of);
    here.check_owner("a scope");
    team_state& state = state_of(of);
    std::uint32_t const number = [&] {
      admission const inside(here.gate());
      return state.open_scope();
    }();
    wait_site const site{
        .what = "the beginning of an epoch", .for_what = awaited::fence, .tag = run_tag(0, 0, of.id()), .from = where};
    if (state.is_fenced(number)) here.wait(wait_kind::collective, site, [&] { return !state.is_fenced(number); });
    return number;
  }
  [[nodiscard]] collective_call call(collective_said said, call_site where) const {
    collective_call all{team_, said, where};
    all.scope = number();
    all.how = how_;
    return all;
  }
  static std::uint32_t first_generation(detection how) {
    if (how.by == detector::depth) return run_scope::deepest - how.depth;
    return how.by == detector::channel_counting ? run_scope::any_depth : 0;
  }

  team const team_;
  team_state& state_;
  detection const how_;
  run_scope const sends_in_;
  bool is_open_ = true;
};

}  // namespace sheaf::detail
