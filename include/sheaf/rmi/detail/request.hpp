// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sheaf/async/future.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/detail/run_loop.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/rmi/detail/coroutine.hpp"
#include "sheaf/rmi/detail/invoker.hpp"

namespace sheaf::detail {

/// Calls the method of one request, whatever it is.
template <class Invoker, class Answer, class Self, class... A>
[[gnu::always_inline]] inline void call_method(location& here, [[maybe_unused]] team_state& team,
                                               [[maybe_unused]] void const* object, Self& self, Answer& answer,
                                               A&&... a) {
  if constexpr (Invoker::is_coroutine) {
    begin_call<Invoker>(here, team, object, self, answer, std::forward<A>(a)...);
  } else if constexpr (Answer::is_statement) {
    Invoker::call(self, std::forward<A>(a)...);
  } else if constexpr (std::is_void_v<typename Invoker::result>) {
    Invoker::call(self, std::forward<A>(a)...);
    answer.value(here);
  } else {
    answer.template value<typename Invoker::result>(here, Invoker::call(self, std::forward<A>(a)...));
  }
}

/// What an answer knows of the call.
struct asked_call {
  location& here;
  team_state& team;
  std::uint32_t object;  ///< number in the team
  std::string_view name;
  location_id caller;
  std::uint64_t question = 0;        ///< id of the first question that the answer will be told of (question_run),
  std::byte const* first = nullptr;  ///< and where its record is
};

/// No answer: exceptions wait for the next fence.
struct statement_answer {
  using envelope = arguments_codec<>;
  static constexpr bool travels = false, any_thread = true, asks = false, is_statement = true;

  team_state* team;
  std::string_view name;
  location_id caller;

  explicit statement_answer(asked_call const& of) : team(&of.team), name(of.name), caller(of.caller) {}
  template <class Request>
  void open(location&, std::span<std::byte const>) const {}
  void value(location&, auto&&...) const {}
  void exception(location& here) const { here.in().keep_exception(*team, name, caller); }
};

/// The records for one method; compiled once for each `Invoker` and `Answer`. An answer says what travels in front of
/// the arguments (`envelope`), and what becomes of the result or the exception. It is made for a run, `open` tells it
/// of each record, and a coroutine that suspends keeps a copy.
template <class Invoker, class Answer>
struct request {
  using codec = typename enveloped<typename Answer::envelope, typename Invoker::codec>::codec;
  static constexpr std::size_t envelope = arity<typename Answer::envelope>;
  static constexpr type_token object_type =
      std::is_same_v<typename Invoker::object, no_object> ? nullptr : token_of<typename Invoker::object>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();
  static constexpr bool any_thread = Answer::any_thread && is_concurrent<Invoker>;
  static constexpr bool asks = Answer::asks;
  static_assert(!Answer::travels || codec_type<stored<typename Invoker::result>>,
                "sheaf: the result of a remotely invoked method must be a type that can travel (see codec.hpp)");

  static void run(location& here, void* object, execution& state) {
    auto&& self = callee<Invoker>(here, object, state);
    team_state& team = *state.team;  // the state may have moved on to another run when an exception arrives
    asked_call asked{here, team, state.object_number, state.handler->name, state.source};
    if constexpr (asks) asked.question = state.question + state.records_begun();
    asked.first = state.at;
    Answer answer(asked);
    auto const rest = [&] {
      if constexpr (Invoker::takes_whole_runs && codec::fixed && Answer::is_statement && envelope == 0) {
        std::byte const* const from = std::exchange(state.at, state.run_end);
        Invoker::call_run(self, from, static_cast<std::size_t>(state.run_end - from) / record_bytes);
      }
      each_record<codec, envelope>(
          state, [&](std::byte const* later) { prefetch_ahead<Invoker, codec, envelope>(later, self); },
          [&](std::span<std::byte const> record, auto&&... front) {
            answer.template open<request>(here, record, front...);
          },
          [&](auto&&... a) { call_method<Invoker>(here, team, object, self, answer, std::move(a)...); });
    };
    run_catching(state, rest, [&] { answer.exception(here); });
  }
};

template <class Invoker>
using async_request = request<Invoker, statement_answer>;

/// The handler of the replies that somebody waits for: {token, status, value or text}.
struct reply_run {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = 0;
  static constexpr bool any_thread = true;  // who asked may be an attached thread
  static void run(location& here, void* object, execution& state);
};

run_tag reply_tag();
void send_exception(location& here, std::uint32_t dest, std::uint32_t token, std::string_view handler);

/// The answer to a waiting caller, sent at once.
struct blocking_answer {
  using envelope = arguments_codec<std::uint32_t>;  // the token
  static constexpr bool travels = true, any_thread = true, asks = false, is_statement = false;

  std::uint32_t caller;
  std::uint32_t token = 0;
  std::string_view name;

  explicit blocking_answer(asked_call const& of) : caller(number(of.caller)), name(of.name) {}
  template <class Request>
  void open(location&, std::span<std::byte const>, std::uint32_t asked) {
    token = asked;
  }
  [[nodiscard]] std::uint64_t call() const { return call_number(call_space::blocking, token); }
  template <class R = unit>
  void value(location& here, R const& result = {}) const {
    using record = arguments_codec<std::uint32_t, std::uint8_t, R>;
    put_urgently<record>(here, here.answer_box(caller), reply_tag(), {}, token,
                         static_cast<std::uint8_t>(reply_status::value), result);
  }
  void exception(location& here) const { send_exception(here, caller, token, name); }
};

template <class Invoker>
using answered_request = request<Invoker, blocking_answer>;

}  // namespace sheaf::detail
