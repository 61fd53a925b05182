// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace sheaf::detail {

/// Part of a location's memory: rows of bytes, repeated in levels, the innermost first. Level i has counts[i] places,
/// steps[i] bytes apart. Bytes are numbered in this order; a transfer copies number by number.
template <class Byte>
struct basic_strided {
  Byte* first = nullptr;
  std::size_t row = 0;
  std::span<std::size_t const> counts = {};
  std::span<std::ptrdiff_t const> steps = {};

  operator basic_strided<std::byte const>() const noexcept  // NOLINT: converts on purpose
      requires(!std::is_const_v<Byte>) {
    return {first, row, counts, steps};
  }
  /// At most ~0, which stands for all above it.
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t all = row;
    bool fits = true;
    for (std::size_t const count : counts) {
      if (count == 0) return 0;
      fits = !__builtin_mul_overflow(all, count, &all) && fits;
    }
    return fits ? all : ~std::size_t{0};
  }
};
using strided = basic_strided<std::byte>;
using const_strided = basic_strided<std::byte const>;

}  // namespace sheaf::detail
