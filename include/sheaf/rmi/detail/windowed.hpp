// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>

#include "sheaf/message/reply_windows.hpp"
#include "sheaf/rmi/detail/request.hpp"

namespace sheaf::detail {

std::uint32_t checked_slots(std::uint32_t slots, std::uint32_t most);
[[noreturn]] void throw_bad_slot(std::uint32_t slot, std::size_t slots);
[[noreturn]] void throw_unawaited(execution const& state, std::uint32_t token);

/// Replies {token, value} to a window.
template <class R>
struct window_reply {
  using codec = arguments_codec<std::uint32_t, R>;
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();

  static void run(location& here, void*, execution& state) {
    reply_windows const& windows = here.windows();
    reply_window_entry* window = nullptr;
    std::uint32_t found = 0;  // the number of that window
    while (state.at != state.run_end) {
      with_next_record<codec>(state, [&](std::uint32_t token, auto&& value) {
        if (window == nullptr || token >> reply_windows::slot_bits != found) {
          window = windows.find(token, token_of<R>());
          found = token >> reply_windows::slot_bits;
        }
        std::uint32_t const slot = reply_windows::slot_of(token);
        if (window == nullptr || slot >= window->size || window->awaited == 0) [[unlikely]]
          throw_unawaited(state, token);
        static_cast<R*>(window->slots)[slot] = std::move(value);
        window->arrived();
      });
    }
  }
};

/// The texts of exceptions {token, type's handler, text} that methods of windowed requests threw.
struct window_error {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = 0;
  static void run(location& here, void* object, execution& state);
};

/// Keeps the order of values and exceptions irrelevant: each slot has one of both.
void send_window_error(location& here, std::uint32_t dest, std::uint32_t token, std::string_view handler);

/// A request whose reply goes to a window.
template <class Invoker>
struct windowed_request {
  using codec = typename with_token<typename Invoker::codec>::codec;
  using result = typename Invoker::result;
  using reply_codec = arguments_codec<std::uint32_t, result>;
  static constexpr type_token object_type = token_of<typename Invoker::object>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();

  static void run(location& here, void* object, execution& state) {
    auto& self = *static_cast<typename Invoker::object*>(object);
    run_tag const tag(handler_number<window_reply<result>>, 0, 0);
    std::uint32_t const caller = number(state.source);
    std::string_view const name = state.handler->name;
    std::uint32_t token = 0;
    while (state.at != state.run_end) {
      try {
        while (state.at != state.run_end) {
          prefetch_ahead<Invoker, codec, 1>(state, self);
          with_next_record<codec>(state, [&](std::uint32_t asked, auto&&... a) {
            token = asked;
            reply(here, caller, tag, asked, Invoker::call(self, std::move(a)...));
          });
        }
      } catch (job_aborted const&) {
        throw;
      } catch (wire_error const&) {
        throw;
      } catch (...) {
        send_window_error(here, caller, token, name);
      }
    }
  }

 private:
  static void reply(location& here, std::uint32_t dest, run_tag tag, std::uint32_t token, result const& value) {
    if constexpr (reply_codec::fixed) {
      reply_codec::encode(here.append_answer(dest, tag, record_bytes_of<reply_codec>(), record_bytes_of<reply_codec>()),
                          token, value);
    } else {
      std::size_t const bytes = reply_codec::size(token, value);
      std::byte* const at = here.append_answer(dest, tag, bytes, 0);
      byte_writer to(at, at + bytes);
      reply_codec::encode(to, token, value);
    }
  }
};

}  // namespace sheaf::detail
