// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/base/call_site.hpp"

namespace sheaf {

namespace detail {

/// A parameter that takes a `Whom` and records the place of the call, where the conversion happens. It is the base of
/// Whom, so that templates deduce Whom.
template <class Whom>
struct addressed {
  call_site from{};

  constexpr addressed() = default;
  constexpr addressed(Whom const&, call_site where = call_site::here()) noexcept  // NOLINT: converts on purpose
      : from(where) {}
};

}  // namespace detail

/// Every member of the team, the calling one included.
struct to_all_members : detail::addressed<to_all_members> {
  static constexpr bool caller_too = true, in_order = false;
};
/// Every member but the calling one.
struct to_other_members : detail::addressed<to_other_members> {
  static constexpr bool caller_too = false, in_order = false;
};
inline constexpr to_all_members to_all{};
inline constexpr to_other_members to_others{};

/// Makes a broadcast keep the order of each pair: see `async` (verbs.hpp).
template <class Whom>
struct in_pair_order : detail::addressed<in_pair_order<Whom>> {
  static constexpr bool caller_too = Whom::caller_too, in_order = true;

  explicit constexpr in_pair_order(Whom) {}
};

}  // namespace sheaf
