// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/message/guarded_run.hpp"
#include "sheaf/rmi/detail/here.hpp"
#include "sheaf/rmi/detail/spreading.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"
#include "sheaf/runtime/detail/sums.hpp"
#include "sheaf/runtime/to_whom.hpp"

namespace sheaf::detail {

/// A method's encoded outcome: whether it threw, then the value or the text. Of several texts the first is kept.
struct outcome {
  static constexpr std::byte value{0}, exception{1};

  [[nodiscard]] static bool threw(std::span<std::byte const> one) { return one.empty() || one[0] != value; }
  [[nodiscard]] static encoded of_exception(std::string const& text);
  [[nodiscard]] static std::string text(std::span<std::byte const> one);

  template <class T>
  static encoded of_value(T const& result) {
    encoded one(1 + codec<T>::size(result));
    one[0] = value;
    encode_to(room_of(one, 1), result);
    return one;
  }

  /// Puts values together by an operation on T.
  template <class T, class Op>
  static void combine(void const* op, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right) {
    if (threw(left) || threw(right)) return keep_thrown(mine, left, right);
    T first = decode<T>(left.subspan(1)), second = decode<T>(right.subspan(1));
    auto const add = [&] {
      T const sum = (*static_cast<Op const*>(op))(std::move(first), std::move(second));
      if constexpr (fixed_size<T>) {
        encode_to(room_of(mine, 1), sum);
      } else {
        mine = of_value<T>(sum);
      }
    };
    call_telling(add,
                 [&](char const* why) { mine = of_exception(std::string("in the operation of a reduction: ") + why); });
  }

  /// Concatenates values.
  static void append(void const*, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right);

 private:
  /// `mine`, one of the two, becomes the first of them that is an exception.
  static void keep_thrown(encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right);
};

/// Reduces the members' results by an operation, to one of the same type.
template <class R, class Op>
struct reducing {
  using total = R;
  static constexpr bool travels = std::is_trivially_copyable_v<Op>;
  static_assert(!std::is_void_v<R>, "sheaf: the method of a reduction must return a value");
  Op op;

  R operator()(R left, R right) const { return op(std::move(left), std::move(right)); }
  [[nodiscard]] encoded_operation on() const { return {&outcome::combine<R, reducing>, this}; }
  static R decode_total(std::span<std::byte const> one, std::uint32_t) { return decode<R>(one.subspan(1)); }
};

/// Concatenates the results to a vector by rank.
template <class R>
struct collecting {
  using total = std::vector<R>;
  static constexpr bool travels = true;
  static_assert(!std::is_void_v<R>, "sheaf: the method of a collection must return a value");

  [[nodiscard]] encoded_operation on() const { return {&outcome::append, nullptr}; }
  static total decode_total(std::span<std::byte const> one, std::uint32_t count) {
    return decode_all<R>(one.subspan(1), count);
  }
};

template <class How>
struct sum_of : sum_owner {
  How how;
  explicit sum_of(How const& given) : how(given) {}
  [[nodiscard]] encoded_operation operation() const override { return how.on(); }
};

/// Gives the result to the sum; each member has passed the record on before.
template <class How>
struct sum_answer {
  /// The rank of who asks, the number of the sum, and what to do with the results.
  using envelope = arguments_codec<std::uint32_t, std::uint32_t, How>;
  static constexpr bool travels = true, any_thread = false, asks = false, is_statement = false;

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
    auto* const mine = origin == team->rank ? &opened_sum(here, key) : &open_sum(here, *team, key, new sum_of(how));
    team_object const own{here, *team, object};
    if (origin != team->rank) spread(own, origin, own.tag<Request>(), record, Request::record_bytes);
    sum = mine;
  }
  void value(location&, auto const& result) {
    encoded own = outcome::of_value(result);
    give_own(*std::exchange(sum, nullptr), std::move(own));
  }
  void exception(location& here) {
    if (sum == nullptr) throw;
    give_own(*std::exchange(sum, nullptr), outcome::of_exception(exception_text(here.id(), name, caller)));
  }
};

/// Gives the total to the future that waits for it.
template <class How>
struct total_of_team final : sum_of<How> {
  using total = typename How::total;
  location& here;
  future_state<total>* state;
  std::uint64_t question;
  std::uint32_t members;

  total_of_team(How const& given, location& at, future_state<total>* to, std::uint64_t asked, std::uint32_t of)
      : sum_of<How>(given), here(at), state(to), question(asked), members(of) {}
  void take(encoded bytes) override {
    state_owner<total> const answered(state);  // the reply's reference
    {
      admission const inside(here.gate());
      here.calls().questions.end_alone(question);
    }
    if (outcome::threw(bytes_of(bytes))) {
      state->set_error(outcome::text(bytes_of(bytes)));
    } else {
      state->set_value(How::decode_total(bytes_of(bytes), members));
    }
  }
};

/// Asks all members over a tree; the future gets the total of their results.
template <class Invoker, class How, class... A>
future<typename How::total> ask_team(char const* verb, target const& to, call_site from, How how, A&&... a) {
  static_assert(How::travels,
                "sheaf: the operation of a reduction that travels must be trivially copyable; capture plain values");
  using request = detail::request<Invoker, sum_answer<How>>;
  team_object const object = team_object::of(verb, to, from);
  location& here = object.here;
  team_state& team = object.team;
  asking<typename How::total> question(here, team);
  future<typename How::total> asked;
  sum_key const key{team.id, team.rank, next_sum(here)};
  auto const send = [&](std::span<std::byte const> record) {
    prepare_to_spread(verb, object, object.tag<request>(), from);
    carried_question carried(here, {nullptr, &team.awaited, nullptr}, {object.tag<request>(), wait_site::several},
                             question.place());
    open_sum(here, team, key, new total_of_team<How>(how, here, question.state(), carried.id(), team.size()));
    carried.sent();
    asked = question.sent();
    spread_from_here<request>(object, record, [&] {
      put_encoded(here, here.member_box(team, team.rank), object.tag<request>(), record, request::record_bytes);
    });
  };
  std::apply([&](auto const&... v) { with_record<typename request::codec>(send, key.origin, key.number, how, v...); },
             referred<Invoker>(std::forward<A>(a)...));
  return asked;
}

}  // namespace sheaf::detail
