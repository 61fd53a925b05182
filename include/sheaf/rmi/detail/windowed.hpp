// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "sheaf/rmi/detail/gathered.hpp"

namespace sheaf::detail {

std::uint32_t checked_slots(std::uint32_t slots);
[[noreturn, gnu::cold]] void throw_bad_slot(std::uint32_t slot, std::size_t slots, packed_call_site from);

/// The result types that a window can hold.
template <class R>
inline constexpr bool has_slots = std::is_default_constructible_v<R>&& std::is_move_assignable_v<R>;

template <class R>
struct window_results : window_state {
  explicit window_results(std::uint32_t slots)
      : window_state([](window_state* self) { delete static_cast<window_results*>(self); }), results(slots) {
    first = reinterpret_cast<std::uintptr_t>(results.data());
    end = first + slots * sizeof(R);
  }
  std::vector<R> results;
};

template <class R>
struct window_question {
  static constexpr bool windowed = true;
  team_state& team;
  window_state* window;
  R* results;
  std::uint32_t slot;
  [[nodiscard]] std::uintptr_t place() const { return reinterpret_cast<std::uintptr_t>(results + slot); }
  [[nodiscard]] asker who() const { return {token_of<R>(), &team.awaited, window}; }
};

/// The landing of answers to windows' questions. A second answer to a question would replace the first.
template <class R>
struct window_landing {
  using result = R;
  static constexpr bool windowed = true;
  static constexpr type_token type = token_of<R>();
  static constexpr char const* whose = "reply window";

  static bool keep(std::uintptr_t slot, auto make) {
    *reinterpret_cast<R*>(slot) = make();
    return true;
  }
};

template <class Invoker>
using windowed_request = gathered_request<Invoker, window_landing<typename Invoker::result>>;

}  // namespace sheaf::detail
