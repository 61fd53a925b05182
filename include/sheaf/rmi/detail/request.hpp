// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <string_view>
#include <type_traits>

#include "sheaf/async/future.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/rmi/detail/coroutine.hpp"
#include "sheaf/rmi/detail/invoker.hpp"
#include "sheaf/rmi/detail/run_loop.hpp"

namespace sheaf::detail {

/// An asynchronous request: no token, no answer.
template <class Invoker>
struct async_request {
  using codec = typename Invoker::codec;
  static constexpr type_token object_type = token_of<typename Invoker::object>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();
  static constexpr bool any_thread = is_concurrent<Invoker>;

  static void run(location& here, void* object, execution& state) {
    auto&& self = callee<Invoker>(here, object, state);
    if constexpr (Invoker::is_coroutine) {
      begin_all(here, object, self, state);
    } else if constexpr (called_by_pointer<Invoker> && codec::fixed) {
      run_guarded(here, state, [&state, self] {
        with_next_records<codec>(state, [&](auto&&... a) { Invoker::call(self, std::move(a)...); });
      });
    } else {
      run_guarded(here, state, [&] {
        if constexpr (Invoker::takes_whole_runs && codec::fixed) {
          std::byte const* const from = std::exchange(state.at, state.run_end);
          Invoker::call_run(self, from, static_cast<std::size_t>(state.run_end - from) / record_bytes);
        }
        while (state.at != state.run_end) {
          prefetch_ahead<Invoker, codec, 0>(state, self);
          with_next_record<codec>(state, [&](auto&&... a) { Invoker::call(self, std::move(a)...); });
        }
      });
    }
  }

 private:
  template <class Self>
  static void begin_all(location& here, void const* object, Self& self, execution& state) {
    statement_answer const answer{state.team, state.handler->name, state.source};
    run_guarded(here, state, [&] {
      while (state.at != state.run_end) {
        prefetch_ahead<Invoker, codec, 0>(state, self);
        with_next_record<codec>(state, [&](auto&&... a) {
          begin_call<Invoker>(here, *answer.team, object, self, answer, std::move(a)...);
        });
      }
    });
  }
};

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

constexpr std::size_t reply_head_bytes = 5;

inline void put_reply_head(byte_writer& to, std::uint32_t token, reply_status status) {
  to.value(token);
  to.value(static_cast<std::uint8_t>(status));
}

/// Answers a blocking request at once.
template <class R>
void send_reply(location& here, std::uint32_t dest, std::uint32_t token, R const& value) {
  if constexpr (fixed_size<R>) {
    std::array<std::byte, run_header::wire_bytes + reply_head_bytes + fixed_wire_size<R>> entry;
    byte_writer to(entry.data() + run_header::wire_bytes, entry.data() + entry.size());
    put_reply_head(to, token, reply_status::value);
    codec<R>::encode(to, value);
    here.send_urgent(dest, traffic::answer, reply_tag(), entry);
  } else {
    std::size_t const bytes = reply_head_bytes + codec<R>::size(value);
    admission const inside(here.gate());
    outbox& box = here.answer_box(dest);
    std::byte* const at = here.append_varying_answer(box, reply_tag(), bytes);
    fill_record<reach_of<R>.outside>(here, box, at, bytes, [&](byte_writer& to) {
      put_reply_head(to, token, reply_status::value);
      codec<R>::encode(to, value);
    });
    here.flush(dest, traffic::answer);
  }
}

/// The answer of a coroutine that a blocking request called.
template <class R>
struct blocking_answer {
  std::uint32_t caller;
  std::uint32_t token;
  std::string_view name;

  [[nodiscard]] std::uint64_t call() const { return call_number(call_space::blocking, token); }
  void value(location& here, R const& result = {}) const { send_reply<R>(here, caller, token, result); }
  void exception(location& here) const { send_exception(here, caller, token, name); }
};

/// What the library writes in front of the arguments.
template <class Codec, class... Head>
struct with_head;
template <class... A, class... Head>
struct with_head<arguments_codec<A...>, Head...> {
  using codec = arguments_codec<Head..., A...>;
};
template <class Codec>
using with_token = with_head<Codec, std::uint32_t>;

/// A request whose caller waits for the reply: the token travels in front of the arguments.
template <class Invoker>
struct answered_request {
  using codec = typename with_token<typename Invoker::codec>::codec;
  using result = stored<typename Invoker::result>;
  static constexpr type_token object_type = token_of<typename Invoker::object>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();
  static constexpr bool any_thread = is_concurrent<Invoker>;
  static_assert(codec_type<result>,
                "sheaf: the result of a remotely invoked method must be a type that can travel (see codec.hpp)");

  static void run(location& here, void* object, execution& state) {
    auto&& self = callee<Invoker>(here, object, state);
    [[maybe_unused]] team_state& team = *state.team;
    std::string_view const name = state.handler->name;
    std::uint32_t const caller = number(state.source);
    std::uint32_t token = 0;
    auto const answer_all = [&] {
      while (state.at != state.run_end) {
        prefetch_ahead<Invoker, codec, 1>(state, self);
        with_next_record<codec>(state, [&](std::uint32_t asked, auto&&... a) {
          token = asked;
          if constexpr (Invoker::is_coroutine) {
            begin_call<Invoker>(here, team, object, self, blocking_answer<result>{caller, asked, name},
                                std::move(a)...);
          } else {
            answer(here, self, caller, asked, a...);
          }
        });
      }
    };
    run_catching(state, answer_all, [&] { send_exception(here, caller, token, name); });
  }

  /// Calls the method and answers.
  template <class T, class... A>
  static void answer(location& here, T& self, std::uint32_t caller, std::uint32_t token, A&... a) {
    if constexpr (std::is_void_v<typename Invoker::result>) {
      Invoker::call(self, std::move(a)...);
      send_reply(here, caller, token, unit{});
    } else {
      send_reply<result>(here, caller, token, Invoker::call(self, std::move(a)...));
    }
  }
};

}  // namespace sheaf::detail
