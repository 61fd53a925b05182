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

/// What becomes of a coroutine's result.
struct sum_answer {
  pending_sum* sum;
  std::string_view name;
  location_id caller;

  template <class R>
  void value(location&, R const& result) const {
    give_own(*sum, outcome::of_value(result));
  }
  void exception(location& here) const {
    give_own(*sum, outcome::of_exception(exception_text(here.id(), name, caller)));
  }
};

/// Each member passes the request on, runs the method, and gives what it returned to the sum. Records begin with the
/// rank of who asks, the number of the sum, and what to do with the results.
template <class Invoker, class How>
struct sum_request {
  using codec = typename with_head<typename Invoker::codec, std::uint32_t, std::uint32_t, How>::codec;
  static constexpr type_token object_type = token_of<typename Invoker::object>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();

  static void run(location& here, void* object, execution& state) {
    auto& self = *static_cast<typename Invoker::object*>(object);
    team_object const passed_on{here, *state.team, state.object_number};
    team_state& team = passed_on.team;
    std::string_view const name = state.handler->name;
    while (state.at != state.run_end) {
      std::byte const* const from = state.at;
      with_next_record<codec>(state, [&](std::uint32_t origin, std::uint32_t sum, How how, auto&&... a) {
        sum_key const key{team.id, origin, sum};
        if (origin == team.rank) return give({&opened_sum(here, key), name, here.id()}, here, team, self, a...);
        std::span const record(from, state.at);
        check_origin(team, origin);
        pending_sum& mine = open_sum(here, team, key, How::owned(how));
        spread<sum_request>(passed_on, origin, record);
        give({&mine, name, team.members[origin]}, here, team, self, a...);
      });
    }
  }

 private:
  template <class T, class... A>
  static void give(sum_answer const& answer, location& here, [[maybe_unused]] team_state& team, T& self, A&... a) {
    if constexpr (Invoker::is_coroutine) {
      call_catching([&] { begin_call<Invoker>(here, team, &self, self, answer, std::move(a)...); },
                    [&] { answer.exception(here); });
    } else {
      give_own(*answer.sum, outcome::of_call(here, answer.name, answer.caller,
                                             [&] { return Invoker::call(self, std::move(a)...); }));
    }
  }
};

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
  team_object const object = team_object::of(what, to);
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
      put_record(here, *team.boxes[team.rank], object.tag<request>(), record, request::record_bytes);
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
  team_object const object = team_object::of(what, to);
  object.here.check_may_wait(wait_kind::collective, what);
  encoded bytes = outcome_here<Invoker>(object, std::forward<A>(a)...);
  team const members = object.members();
  reduce_bytes(called_by_all<Invoker>(what, members, object, whom.from), bytes, how.on());
  outcome::rethrow(bytes);
  return How::decode_total(bytes, object.team.size());
}

template <class Invoker, class How, class T, class... A>
std::optional<typename How::total> collective_sum(char const* what, located<to_one> root, handle<T> to, How how,
                                                  A&&... a) {
  team_object const object = team_object::of(what, to);
  object.here.check_may_wait(wait_kind::collective, what);
  team const members = object.members();
  static_cast<void>(members.location_of(root.value.rank));  // throws where there is none
  encoded bytes = outcome_here<Invoker>(object, std::forward<A>(a)...);
  reduce_bytes_to(called_by_all<Invoker>(what, members, object, root.from), root.value.rank, bytes, how.on());
  if (object.team.rank != root.value.rank) return std::nullopt;
  outcome::rethrow(bytes);
  return How::decode_total(bytes, object.team.size());
}

}  // namespace sheaf::detail
