// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "sheaf/message/open_calls.hpp"
#include "sheaf/rmi/detail/gathered.hpp"

namespace sheaf::detail {

std::uint32_t checked_slots(std::uint32_t slots, std::uint32_t most);
[[noreturn, gnu::cold]] void throw_bad_slot(std::uint32_t slot, std::size_t slots, packed_call_site from);

struct window_replies {
  static constexpr char const* whose = "reply window";
  static bool fail(location& here, std::uint32_t token, std::string text);
};

/// What a window can have results of.
template <class R>
inline constexpr bool has_slots = std::is_default_constructible_v<R>&& std::is_move_assignable_v<R>;

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
  /// The records up to one of another window. Nothing of the caller's runs between them.
  static void run_of_one_window(location& here, execution& state) {
    std::uint32_t first = 0;
    bool const whole = state.run_end - state.at >= static_cast<std::ptrdiff_t>(sizeof first);
    if (whole) std::memcpy(&first, state.at, sizeof first);
    reply_window_entry* const window = here.calls().windows.find(first, token_of<R>());
    if (window == nullptr || !whole) [[unlikely]]
      throw_unawaited(state, first, window_replies::whose);
    auto* const slots = static_cast<R*>(window->slots);
    if constexpr (codec::fixed) {
      std::uint32_t const slot_0 = first - reply_windows::slot_of(first), size = window->size;
      std::byte const *const begin = state.at, *at = begin;
      std::byte const* const most = begin + std::size_t{window->awaited()} * record_bytes;
      std::byte const* const end = most < state.run_end ? most : state.run_end;
      for (; at != end; at += record_bytes) {
        std::uint32_t const slot = codec::template load<0>(at) - slot_0;
        if (slot >= size) break;
        slots[slot] = codec::template load<1>(at);
      }
      state.at = at;
      window->arrived(static_cast<std::uint32_t>((at - begin) / record_bytes));
    } else {
      auto values = take_record(state, [](byte_reader& reader) { return codec::decode(reader); });
      slots[reply_windows::slot_of(first)] = std::move(std::get<1>(values));
      window->arrived(1);
    }
  }
};

template <class Invoker>
using windowed_request = gathered_request<Invoker, window_reply<typename Invoker::result>>;

}  // namespace sheaf::detail
