// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstdint>

namespace sheaf {

/// Indices of one dimension of an array: first, first + step, … Python's [first : first + count·step : step].
struct slice {
  /// As many as there are in the direction of the step. No negative number becomes it: that is an error.
  static constexpr std::uint64_t to_end = INT64_MAX;

  /// All.
  constexpr slice() noexcept = default;
  /// One index. The dimension stays, with an extent of 1.
  constexpr slice(std::integral auto index) noexcept  // NOLINT: converts on purpose
      : first(static_cast<std::int64_t>(index)), count(1) {}
  /// The step may be negative; with a count of 0 or 1 it may be anything.
  constexpr slice(std::integral auto from, std::uint64_t indices, std::int64_t by = 1) noexcept
      : first(static_cast<std::int64_t>(from)), count(indices), step(by) {}

  std::int64_t first = 0;
  std::uint64_t count = to_end;
  std::int64_t step = 1;

  bool operator==(slice const&) const = default;
};

}  // namespace sheaf
