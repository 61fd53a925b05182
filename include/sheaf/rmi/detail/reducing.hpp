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
  static_assert(!std::is_void_v<R>, "sheaf: the method of a reduction must return a value");
  Op op;

  R operator()(R left, R right) const { return op(std::move(left), std::move(right)); }
  [[nodiscard]] encoded_operation on() const { return {&outcome::combine<R, reducing>, this}; }
  static owned_operation owned(reducing const& given) {
    static_assert(std::is_trivially_copyable_v<Op>,
                  "sheaf: the operation of a reduction that travels must be trivially copyable; capture plain values");
    auto const* const kept = new reducing(given);
    return {kept->on(), [](void const* its_own) noexcept { delete static_cast<reducing const*>(its_own); }};
  }
  static R decode_total(std::span<std::byte const> one, std::uint32_t) { return decode<R>(one.subspan(1)); }
};

/// The same: one behind the other, to a vector by rank.
template <class R>
struct collecting {
  using total = std::vector<R>;
  static_assert(!std::is_void_v<R>, "sheaf: the method of a collection must return a value");

  [[nodiscard]] encoded_operation on() const { return {&outcome::append, nullptr}; }
  static owned_operation owned(collecting const& given) { return {given.on(), nullptr}; }
  static total decode_total(std::span<std::byte const> one, std::uint32_t count) {
    return decode_all<R>(one.subspan(1), count);
  }
};

/// Each member passes the request on, runs the method, and gives what it returned to the sum. Records begin with the
/// rank of who asks, the object's number, the number of the sum, and what to do with the results.
template <class Invoker, class How>
struct sum_request {
  using codec = typename with_head<typename Invoker::codec, std::uint32_t, std::uint32_t, std::uint32_t, How>::codec;
  static constexpr type_token object_type = token_of<typename Invoker::object>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();

  static void run(location& here, void* object, execution& state) {
    auto& self = *static_cast<typename Invoker::object*>(object);
    team_state& team = *state.team;
    std::string_view const name = state.handler->name;
    while (state.at != state.run_end) {
      std::byte const* const from = state.at;
      with_next_record<codec>(state,
                              [&](std::uint32_t origin, std::uint32_t number, std::uint32_t sum, How how, auto&&... a) {
                                sum_key const key{team.id, origin, sum};
                                if (origin == team.rank)
                                  return give(opened_sum(here, key), here, self, name, here.id(), a...);
                                team_object const passed_on{here, team, number};
                                std::span const record(from, state.at);
                                check_origin(team, origin);
                                pending_sum& mine = open_sum(here, team, key, How::owned(how));
                                spread(passed_on, origin, passed_on.tag<sum_request>(), record, record_bytes);
                                give(mine, here, self, name, team.members[origin], a...);
                              });
    }
  }

 private:
  template <class T, class... A>
  static void give(pending_sum& sum, location& here, T& self, std::string_view name, location_id caller, A&... a) {
    give_own(sum, outcome::of_call(here, name, caller, [&] { return Invoker::call(self, std::move(a)...); }));
  }
};

/// Brings the total to the future that waits for it.
template <class How>
struct total_of_team {
  using total = typename How::total;
  future_state<total>* state;
  std::uint32_t members;

  static void take(void* where, encoded bytes) {
    total_of_team const end = *static_cast<total_of_team*>(where);
    delete static_cast<total_of_team*>(where);
    end.state->awaits = nullptr;
    --*end.state->unanswered;
    if (outcome::threw(bytes)) {
      end.state->set_error(outcome::text(bytes));
    } else {
      end.state->set_value(How::decode_total(bytes, end.members));
    }
    drop(end.state);  // the reply's reference
  }
};

/// One-sided.
template <class Invoker, class How, class T, class... A>
future<typename How::total> ask_team(char const* what, handle<T> to, How how, A&&... a) {
  using request = sum_request<Invoker, How>;
  team_object const object = team_object::of(what, to);
  location& here = object.here;
  team_state& team = object.team;
  auto const values = converted<Invoker>(std::forward<A>(a)...);
  auto* const state = make_future_state<typename How::total>(here);
  future<typename How::total> asked(state);
  sum_key const key{team.id, team.rank, next_sum(here)};
  open_sum(here, team, key, How::owned(how), {&total_of_team<How>::take, new total_of_team<How>{state, team.size()}});
  expect_reply(*state, team);
  std::apply(
      [&](auto const&... v) {
        auto const to_itself = [&] {
          put_request<typename request::codec>(here, *team.boxes[team.rank], object.tag<request>(), key.origin,
                                               object.number, key.number, how, v...);
        };
        spread_from_here<request>(object, to_itself, key.origin, object.number, key.number, how, v...);
      },
      values);
  return asked;
}

/// The method's outcome here, for a collective call.
template <class Invoker, class... A>
encoded outcome_here(team_object const& object, A&&... a) {
  auto& self = object.representative<typename Invoker::object>();
  auto values = converted<Invoker>(std::forward<A>(a)...);
  encoded own;
  object.here.run_as_method([&] {
    own = outcome::of_call(object.here, handler_name<async_request<Invoker>>(), object.here.id(), [&] {
      return std::apply([&](auto&... v) { return Invoker::call(self, std::move(v)...); }, values);
    });
  });
  return own;
}

template <class Invoker, class How, class T, class... A>
typename How::total collective_sum(to_all_members, handle<T> to, How how, A&&... a) {
  team_object const object = team_object::of("a collective reduction", to);
  object.here.check_may_wait(wait_kind::collective, "a collective reduction");
  encoded bytes = outcome_here<Invoker>(object, std::forward<A>(a)...);
  reduce_bytes(object.members(), bytes, how.on());
  outcome::rethrow(bytes);
  return How::decode_total(bytes, object.team.size());
}

template <class Invoker, class How, class T, class... A>
std::optional<typename How::total> collective_sum(to_one root, handle<T> to, How how, A&&... a) {
  team_object const object = team_object::of("a collective reduction", to);
  object.here.check_may_wait(wait_kind::collective, "a collective reduction");
  static_cast<void>(object.members().location_of(root.rank));  // throws where there is none
  encoded bytes = outcome_here<Invoker>(object, std::forward<A>(a)...);
  reduce_bytes_to(object.members(), root.rank, bytes, how.on());
  if (object.team.rank != root.rank) return std::nullopt;
  outcome::rethrow(bytes);
  return How::decode_total(bytes, object.team.size());
}

}  // namespace sheaf::detail
