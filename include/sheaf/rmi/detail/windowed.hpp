// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>

#include "sheaf/message/reply_windows.hpp"
#include "sheaf/rmi/detail/gathered.hpp"

namespace sheaf::detail {

std::uint32_t checked_slots(std::uint32_t slots, std::uint32_t most);
[[noreturn]] void throw_bad_slot(std::uint32_t slot, std::size_t slots);

struct window_replies {
  static constexpr char const* whose = "reply window";
  static bool fail(location& here, std::uint32_t token, std::string text);
};

/// Replies {token, value} to a window.
template <class R>
struct window_reply {
  using codec = arguments_codec<std::uint32_t, R>;
  using error = error_run<window_replies>;
  static constexpr call_space calls = call_space::windowed;
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();

  static void run(location& here, void*, execution& state) {
    while (state.at != state.run_end) run_of_one_window(here, state);
  }

 private:
  /// The records up to one of another window.
  static void run_of_one_window(location& here, execution& state) {
    std::uint32_t first = 0;
    bool const whole = state.run_end - state.at >= static_cast<std::ptrdiff_t>(sizeof first);
    if (whole) std::memcpy(&first, state.at, sizeof first);
    reply_window_entry* const window = here.windows().find(first, token_of<R>());
    if (window == nullptr || !whole) [[unlikely]]
      throw_unawaited(state, first, window_replies::whose);
    auto* const slots = static_cast<R*>(window->slots);
    std::uint32_t const size = window->size, most = window->awaited;
    std::uint32_t arrived = 0;
    bool same = true;
    auto const no_envelope = [](auto const&) {};
    auto const keep = [&](std::uint32_t token, auto&& value) {
      std::uint32_t const slot = reply_windows::slot_of(token);
      if (slot >= size || arrived == most) [[unlikely]]
        throw_unawaited(state, token, window_replies::whose);
      slots[slot] = std::move(value);
      ++arrived;
    };
    while (same) {
      std::byte const* const next = with_record<codec, 0>(state, state.at, no_envelope, keep);
      same = reply_windows::same_window(first, next, state.run_end);
    }
    window->arrived(arrived);
  }
};

template <class Invoker>
using windowed_request = gathered_request<Invoker, window_reply<typename Invoker::result>>;

}  // namespace sheaf::detail
