// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sheaf/async/future.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/rmi/detail/coroutine.hpp"
#include "sheaf/rmi/detail/request.hpp"

namespace sheaf::detail {

/// Sends {token, text of the exception being handled} in a run of `tag`.
void send_error(location& here, std::uint32_t dest, run_tag tag, std::uint32_t token, std::string_view handler);

[[noreturn]] void throw_unawaited(execution const& state, std::uint32_t token, char const* whose);

/// The handler of {token, text} for replies of one kind: `Replies::fail(here, token, text)` passes the text on, and
/// returns false where nothing awaits the token.
template <class Replies>
struct error_run {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = 0;

  static void run(location& here, void*, execution& state) {
    using record = arguments_codec<std::uint32_t, std::string>;
    while (state.at != state.run_end) {
      auto [token, text] = take_record(state, [](byte_reader& reader) { return record::decode(reader); });
      if (!Replies::fail(here, token, std::move(text))) throw_unawaited(state, token, Replies::whose);
    }
  }
};

/// Puts {token, result} where `Reply`'s records are gathered.
template <class Reply, class R>
void put_reply(location& here, outbox& box, run_tag tag, std::uint32_t token, R const& value) {
  using record = typename Reply::codec;
  if constexpr (record::fixed) {
    put_fixed<record, traffic::answer>(here, box, tag, {}, token, value);
  } else {
    admission const inside(here.gate());
    std::size_t const bytes = record::size(token, value);
    std::byte* const at = here.append_varying_answer(box, tag, bytes);
    fill_record<record::outside>(here, box, at, bytes, [&](byte_writer& to) { record::encode(to, token, value); });
  }
}

/// The answer of a coroutine that such a request called.
template <class R, class Reply>
struct gathered_answer {
  std::uint32_t caller;
  std::uint32_t token;
  std::string_view name;

  [[nodiscard]] std::uint64_t call() const { return call_number(Reply::calls, token); }
  void value(location& here, R const& result = {}) const {
    put_reply<Reply>(here, here.answer_box(caller), run_tag(handler_number<Reply>, 0, 0), token, result);
    here.flush_answers_soon(caller);
  }
  void exception(location& here) const {
    send_error(here, caller, run_tag(handler_number<typename Reply::error>, 0, 0), token, name);
    here.flush_answers_soon(caller);
  }
};

/// A request whose reply is gathered with others of its kind. `Reply` is the handler of these replies {token, result},
/// with the codec of its records, and with `error`, the handler of {token, text} where the method threw. Which of both
/// arrives first is of no interest: each token has one.
template <class Invoker, class Reply>
struct gathered_request {
  using codec = typename with_token<typename Invoker::codec>::codec;
  using result = typename Invoker::result;
  using coroutine_answer = gathered_answer<stored<result>, Reply>;
  static constexpr type_token object_type = token_of<typename Invoker::object>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();
  static constexpr bool any_thread = is_concurrent<Invoker>;
  static_assert(codec_type<stored<result>>,
                "sheaf: the result of a remotely invoked method must be a type that can travel (see codec.hpp)");

  static void run(location& here, void* object, execution& state) {
    auto&& self = callee<Invoker>(here, object, state);
    outbox& box = here.answer_box(number(state.source));
    run_tag const tag(handler_number<Reply>, 0, 0);
    std::string_view const name = state.handler->name;
    std::uint32_t token = 0;
    [[maybe_unused]] team_state& team = *state.team;
    auto const answer_all = [&] {
      while (state.at != state.run_end) {
        prefetch_ahead<Invoker, codec, 1>(state, self);
        with_next_record<codec>(state, [&](std::uint32_t asked, auto&&... a) {
          token = asked;
          if constexpr (Invoker::is_coroutine) {
            begin_call<Invoker>(here, team, object, self, coroutine_answer{number(state.source), asked, name},
                                std::move(a)...);
          } else {
            answer(here, box, tag, asked, self, a...);
          }
        });
      }
    };
    run_catching(state, answer_all, [&] {
      send_error(here, number(state.source), run_tag(handler_number<typename Reply::error>, 0, 0), token, name);
    });
  }

  /// Calls the method and answers.
  template <class T, class... A>
  static void answer(location& here, outbox& box, run_tag tag, std::uint32_t token, T& self, A&... a) {
    if constexpr (std::is_void_v<result>) {
      Invoker::call(self, std::move(a)...);
      put_reply<Reply>(here, box, tag, token, unit{});
    } else {
      put_reply<Reply, result>(here, box, tag, token, Invoker::call(self, std::move(a)...));
    }
  }
};

}  // namespace sheaf::detail
