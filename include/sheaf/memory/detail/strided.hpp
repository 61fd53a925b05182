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
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t all = row;
    for (std::size_t const count : counts) all *= count;
    return all;
  }
};
using strided = basic_strided<std::byte>;
using const_strided = basic_strided<std::byte const>;

}  // namespace sheaf::detail
