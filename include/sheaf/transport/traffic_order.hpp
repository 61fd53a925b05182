// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "sheaf/transport/endpoint.hpp"

namespace sheaf {

namespace detail {
/// All classes in the order in which they are delivered.
inline constexpr auto delivery_order = [] {
  std::array<traffic, traffic_classes> order{traffic::answer};
  for (std::size_t i = 1, k = traffic_classes; i < traffic_classes; ++i) {
    if (--k == static_cast<std::size_t>(traffic::answer)) --k;
    order[i] = static_cast<traffic>(k);
  }
  return order;
}();
}  // namespace detail

/// The classes that may be delivered, in their order.
constexpr std::span<traffic const> classes_of(wanted which) noexcept {
  return {detail::delivery_order.data(), static_cast<std::size_t>(which)};
}
/// All but that of answers, in their order.
constexpr std::span<traffic const> request_classes() noexcept { return classes_of(wanted::all).subspan(1); }
constexpr bool covers(wanted which, traffic kind) noexcept {
  auto const classes = classes_of(which);
  return std::find(classes.begin(), classes.end(), kind) != classes.end();
}

}  // namespace sheaf
