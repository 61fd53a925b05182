// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cmath>

namespace sheaf::detail {

/// By what the numbers of paths of one level are multiplied, of which the largest is `most`: there may be more paths
/// than a double holds. A power of two. What remains leaves room for the sums of the next level.
inline double scale_of_paths(double most) {
  constexpr int highest = 900;
  int const exponent = most > 0 ? std::ilogb(most) : 0;
  return exponent > highest ? std::ldexp(1.0, highest - exponent) : 1.0;
}

/// Smaller numbers of paths, after that, have quotients that a double does not hold.
constexpr double fewest_scaled_paths = 0x1p-900;

}  // namespace sheaf::detail
