// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>

namespace sheaf {

/// Where in the program's source a call stands. Functions that wait have one as their last argument, which callers
/// leave to its default; sync_rmi, with a list of arguments of the caller's, has a `located` destination instead.
struct call_site {
  char const* file = nullptr;  ///< null: not known
  unsigned line = 0;

  static constexpr call_site here(char const* file = __builtin_FILE(), unsigned line = __builtin_LINE()) noexcept {
    return {file, line};
  }
};

/// A value, and where the program gives it to a call: made by conversion at the call.
template <class T>
struct located {
  T value;
  call_site from;

  template <std::convertible_to<T> V>
  constexpr located(V v, call_site where = call_site::here()) noexcept  // NOLINT: converts on purpose
      : value(static_cast<T>(v)), from(where) {}
};

}  // namespace sheaf
