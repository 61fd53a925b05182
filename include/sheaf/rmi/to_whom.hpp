// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/base/call_site.hpp"

namespace sheaf {

namespace detail {

/// What a call is given `Whom` as, and where that call stands: a parameter of this type is made of a Whom at the call.
/// It is the base of Whom, so that templates deduce that.
template <class Whom>
struct addressed {
  call_site from{};
  std::uint32_t rank = 0;  ///< of the one member, where Whom is to_one

  constexpr addressed() = default;
  constexpr explicit addressed(std::uint32_t one) noexcept : rank(one) {}
  constexpr addressed(Whom const& whom, call_site where = call_site::here()) noexcept  // NOLINT: converts on purpose
      : from(where), rank(whom.rank) {}
};

}  // namespace detail

/// Every member of the team, the calling one (of a collective call: the root) included.
struct to_all_members : detail::addressed<to_all_members> {
  static constexpr bool caller_too = true;
};
/// Every member but the calling one (of a collective call: the root).
struct to_other_members : detail::addressed<to_other_members> {
  static constexpr bool caller_too = false;
};
inline constexpr to_all_members to_all{};
inline constexpr to_other_members to_others{};

/// The member of this rank.
struct to_one : detail::addressed<to_one> {
  explicit constexpr to_one(std::uint32_t member) noexcept : addressed(member) {}
};

/// That a broadcast keeps the order of each pair: see broadcast_rmi.
template <class Whom>
struct in_pair_order {
  call_site from;

  explicit constexpr in_pair_order(Whom, call_site where = call_site::here()) : from(where) {}
};

}  // namespace sheaf
