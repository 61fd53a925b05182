// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

namespace sheaf::detail {

/// Whether `sort_local` without a comparison uses the kernel.
template <typename T>
inline constexpr bool has_kernel = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                                   (std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8);

/// Sorts `n` values from `values` on in ascending order, in place, with a vectorized quicksort (bytes: by counting).
/// They are integers of `bytes` bytes, or floating-point values in the total order of IEEE 754, as std::strong_order
/// has it: so the result is the same however the values are distributed, and without NaNs ascending under `<`.
void sort_values(void* values, std::size_t n, std::size_t bytes, bool is_signed, bool is_floating) noexcept;

struct ascending {
  template <class T>
  bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};

/// Sorts this location's values ascending under `less`; numbers under `<` with `sort_values`. Not stable. No messages.
template <typename T, typename Less = ascending>
void sort_local(std::span<T> values, Less less = {}) {
  if constexpr (std::is_same_v<Less, ascending> && has_kernel<T>) {
    sort_values(values.data(), values.size(), sizeof(T), std::is_signed_v<T>, std::is_floating_point_v<T>);
  } else {
    std::sort(values.begin(), values.end(), less);
  }
}

}  // namespace sheaf::detail
