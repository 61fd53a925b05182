// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sheaf/algorithm/detail/sort_values.hpp"

namespace sheaf::detail {

/// The type of `sort_values` with the size, sign and kind of T; void where there is none (bool, long double).
template <typename T>
struct kernel_value {
  template <typename Signed, typename Unsigned>
  using integer = std::conditional_t<std::is_signed_v<T>, Signed, Unsigned>;
  using sized_integer = std::conditional_t<
      sizeof(T) == 1, integer<std::int8_t, std::uint8_t>,
      std::conditional_t<
          sizeof(T) == 2, integer<std::int16_t, std::uint16_t>,
          std::conditional_t<sizeof(T) == 4, integer<std::int32_t, std::uint32_t>,
                             std::conditional_t<sizeof(T) == 8, integer<std::int64_t, std::uint64_t>, void>>>>;
  using type =
      std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, double>, T,
                         std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, sized_integer, void>>;
};

/// Whether `sort_local` without a comparison uses the kernel.
template <typename T>
inline constexpr bool has_kernel = !std::is_void_v<typename kernel_value<T>::type>;

/// Sorts this location's values ascending under `less`. Not stable. Any thread, no messages.
template <typename T, typename Less>
void sort_local(std::span<T> values, Less less) {
  std::sort(values.begin(), values.end(), less);
}

/// As above by `<`; for numbers through `sort_values`, whose order of floating-point values is total.
template <typename T>
void sort_local(std::span<T> values) {
  if constexpr (has_kernel<T>) {
    sort_values(reinterpret_cast<typename kernel_value<T>::type*>(values.data()), values.size());
  } else {
    std::sort(values.begin(), values.end());
  }
}

}  // namespace sheaf::detail
