// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf {

/// Specialise as true for a trivially copyable T whose bytes mean the same on every location, where the library cannot
/// see that or sees a hindrance: a handle with `operator->`, an aggregate with an anonymous union.
template <class T>
inline constexpr bool travels_as_bytes = false;

}  // namespace sheaf
