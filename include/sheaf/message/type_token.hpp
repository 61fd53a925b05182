// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf::detail {

/// A type's identity without RTTI: equal pointers, equal types.
using type_token = void const*;
template <class T>
inline constexpr char type_mark = 0;
template <class T>
constexpr type_token token_of() {
  return &type_mark<T>;
}

}  // namespace sheaf::detail
