// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/rmi/detail/gathered.hpp"
#include "sheaf/runtime/detail/futures.hpp"

namespace sheaf::detail {

/// The landing of answers to futures' questions.
template <class R>
struct future_landing {
  using result = stored<R>;
  static constexpr bool windowed = false;
  static constexpr type_token type = token_of<R>();
  static constexpr char const* whose = "future of this type";

  template <class Make>
  static bool keep(std::uintptr_t& place, Make make) {
    auto* const future = static_cast<future_state<R>*>(question_run::state_at(std::exchange(place, 0)));
    if (future == nullptr) [[unlikely]]
      return false;
    future->answer(make);
    return true;
  }
};

template <class Invoker>
using promised_request = gathered_request<Invoker, future_landing<typename Invoker::result>>;

}  // namespace sheaf::detail
