// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/rmi/detail/outcome.hpp"
#include "sheaf/rmi/detail/spreading.hpp"
#include "sheaf/rmi/to_whom.hpp"
#include "sheaf/runtime/detail/sums.hpp"

namespace sheaf::detail {

/// What is done with the members' results: put together by an operation, to one of the same type.
template <class R, class Op>
struct reducing {
  using total = R;
  static constexpr bool travels = std::is_trivially_copyable_v<Op>;
  static_assert(!std::is_void_v<R>, "sheaf: the method of a reduction must return a value");
  Op op;

  R operator()(R left, R right) const { return op(std::move(left), std::move(right)); }
  [[nodiscard]] encoded_operation on() const { return {&outcome::combine<R, reducing>, this}; }
  static owned_operation owned(reducing const& given) {
    auto const* const kept = new reducing(given);
    return {kept->on(), [](void const* its_own) noexcept { delete static_cast<reducing const*>(its_own); }};
  }
  static R decode_total(std::span<std::byte const> one, std::uint32_t) { return decode<R>(one.subspan(1)); }
};

/// The same: one behind the other, to a vector by rank.
template <class R>
struct collecting {
  using total = std::vector<R>;
  static constexpr bool travels = true;
  static_assert(!std::is_void_v<R>, "sheaf: the method of a collection must return a value");

  [[nodiscard]] encoded_operation on() const { return {&outcome::append, nullptr}; }
  static owned_operation owned(collecting const& given) { return {given.on(), nullptr}; }
  static total decode_total(std::span<std::byte const> one, std::uint32_t count) {
    return decode_all<R>(one.subspan(1), count);
  }
};

/// To the sum, after each member has passed the record on.
template <class How>
struct sum_answer {
  /// The rank of who asks, the number of the sum, and what to do with the results.
  using envelope = arguments_codec<std::uint32_t, std::uint32_t, How>;
  static constexpr bool travels = true, any_thread = false, is_statement = false;

  team_state* team;
  std::string_view name;
  location_id caller;
  std::uint32_t object;
  pending_sum* sum = nullptr;  // until it has got what is given here

  explicit sum_answer(asked_call const& of) : team(&of.team), name(of.name), caller(of.caller), object(of.object) {}
  template <class Request>
  void open(location& here, std::span<std::byte const> record, std::uint32_t origin, std::uint32_t number,
            How const& how) {
    sum_key const key{team->id, origin, number};
    check_origin(*team, origin);
    caller = team->members[origin];
    sum = nullptr;
    auto* const mine = origin == team->rank ? &opened_sum(here, key) : &open_sum(here, *team, key, How::owned(how));
    if (origin != team->rank) spread<Request>({here, *team, object}, origin, record);
    sum = mine;
  }
  template <class R>
  void value(location&, R const& result) {
    encoded own = outcome::of_value(result);
    give_own(*std::exchange(sum, nullptr), std::move(own));
  }
  void exception(location& here) {
    if (sum == nullptr) throw;
    give_own(*std::exchange(sum, nullptr), outcome::of_exception(exception_text(here.id(), name, caller)));
  }
};

template <class Invoker, class How>
using sum_request = request<Invoker, sum_answer<How>>;

/// Brings the total to the future that waits for it.
template <class How>
struct total_of_team {
  using total = typename How::total;
  future_state<total>* state;
  std::uint32_t members;

  static void forget(void* where) noexcept { delete static_cast<total_of_team*>(where); }

  static void take(void* where, encoded bytes) {
    total_of_team const end = *static_cast<total_of_team*>(where);
    forget(where);
    struct dropped {  // the reply's reference
      future_state<total>* state;
      ~dropped() { drop(state); }
    } const guard{end.state};
    end.state->awaits = nullptr;
    --*end.state->unanswered;
    if (outcome::threw(bytes)) {
      end.state->set_error(outcome::text(bytes));
    } else {
      end.state->set_value(How::decode_total(bytes, end.members));
    }
  }
};

/// One-sided.
template <class Invoker, class How, class T, class... A>
future<typename How::total> ask_team(char const* what, handle<T> to, How how, A&&... a) {
  static_assert(How::travels,
                "sheaf: the operation of a reduction that travels must be trivially copyable; capture plain values");
  using request = sum_request<Invoker, How>;
  using end = total_of_team<How>;
  team_object const object = team_object::of(what, to, {});
  location& here = object.here;
  team_state& team = object.team;
  auto* const state = make_future_state<typename How::total>(here, services_of<request>);
  state->ask(future_state_base::unknown_rank, object.number);
  future<typename How::total> asked(state);
  sum_key const key{team.id, team.rank, next_sum(here)};
  auto const send = [&](std::span<std::byte const> record) {
    prepare_to_spread(what, object, object.tag<request>(), {});
    open_sum(here, team, key, How::owned(how), {&end::take, &end::forget, new end{state, team.size()}});
    expect_reply(*state, team);
    spread_from_here<request>(object, record, [&] {
      put_encoded(here, here.member_box(team, team.rank), object.tag<request>(), record, request::record_bytes);
    });
  };
  std::apply([&](auto const&... v) { with_record<typename request::codec>(send, key.origin, key.number, how, v...); },
             converted<Invoker>(std::forward<A>(a)...));
  return asked;
}

/// The method's outcome here, for a collective call.
template <class Invoker, class... A>
encoded outcome_here(team_object const& object, A&&... a) {
  auto& self = object.representative<typename Invoker::object>();
  auto values = converted<Invoker>(std::forward<A>(a)...);
  return outcome::of_call(object.here, handler_name<async_request<Invoker>>(), object.here.id(), [&] {
    return std::apply([&](auto&... v) { return result_here<Invoker>(object.here, self, std::move(v)...); }, values);
  });
}

template <class Invoker, class How, class T, class... A>
typename How::total collective_sum(char const* what, located<to_all_members> whom, handle<T> to, How how, A&&... a) {
  team_object const object = team_object::of(what, to, whom.from);
  object.here.check_may_wait(wait_kind::collective, what, whom.from);
  encoded bytes = outcome_here<Invoker>(object, std::forward<A>(a)...);
  team const members = object.members();
  using total = typename How::total;
  reduce_bytes(called_by_all<Invoker, total>(what, members, object, whom.from), bytes, how.on());
  outcome::rethrow(bytes);
  return How::decode_total(bytes, object.team.size());
}

template <class Invoker, class How, class T, class... A>
std::optional<typename How::total> collective_sum(char const* what, located<to_one> root, handle<T> to, How how,
                                                  A&&... a) {
  team_object const object = team_object::of(what, to, root.from);
  object.here.check_may_wait(wait_kind::collective, what, root.from);
  team const members = object.members();
  static_cast<void>(members.location_of(root.value.rank, root.from));  // throws where there is none
  encoded bytes = outcome_here<Invoker>(object, std::forward<A>(a)...);
  using total = typename How::total;
  reduce_bytes(called_by_all<Invoker, total>(what, members, object, root.from, root.value.rank), bytes, how.on());
  if (object.team.rank != root.value.rank) return std::nullopt;
  outcome::rethrow(bytes);
  return How::decode_total(bytes, object.team.size());
}

}  // namespace sheaf::detail
