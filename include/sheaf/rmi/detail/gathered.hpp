// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sheaf/async/future.hpp"
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

/// A request whose reply is gathered with others of its kind. `Reply` is the handler of these replies {token, result},
/// with the codec of its records, and with `error`, the handler of {token, text} where the method threw. Which of both
/// arrives first is of no interest: each token has one.
template <class Invoker, class Reply>
struct gathered_request {
  using codec = typename with_token<typename Invoker::codec>::codec;
  using result = typename Invoker::result;
  static constexpr type_token object_type = token_of<typename Invoker::object>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();
  static_assert(codec_type<stored<result>>,
                "sheaf: the result of a remotely invoked method must be a type that can travel (see codec.hpp)");

  static void run(location& here, void* object, execution& state) {
    auto&& self = callee<Invoker>(here, object, state);
    outbox& box = here.answer_box(number(state.source));
    run_tag const tag(handler_number<Reply>, 0, 0);
    std::string_view const name = state.handler->name;
    std::uint32_t token = 0;
    auto const answer_all = [&] {
      while (state.at != state.run_end) {
        prefetch_ahead<Invoker, codec, 1>(state, self);
        with_next_record<codec>(state, [&](std::uint32_t asked, auto&&... a) {
          token = asked;
          answer(here, box, tag, asked, self, a...);
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
      put(here, box, tag, token, unit{});
    } else {
      put(here, box, tag, token, Invoker::call(self, std::move(a)...));
    }
  }

 private:
  static void put(location& here, outbox& box, run_tag tag, std::uint32_t token, stored<result> const& value) {
    using record = typename Reply::codec;
    if constexpr (record::fixed) {
      record::encode(here.append_answer(box, tag, record_bytes_of<record>()), token, value);
    } else {
      std::size_t const bytes = record::size(token, value);
      std::byte* const at = here.append_varying_answer(box, tag, bytes);
      fill_record<record::outside>(here, box, at, bytes, [&](byte_writer& to) { record::encode(to, token, value); });
    }
  }
};

}  // namespace sheaf::detail
