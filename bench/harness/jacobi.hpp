// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The work of the Jacobi rows (ARMI, Fig. 10): Poisson's equation on a grid that is cut by rows into strips of n × n
/// points, one per location; a fixed number of iterations. A point's new value is computed by the same instructions
/// wherever it lies, so that all programs get the same bits, and the verifier compares them with a single strip's.
#pragma once

#include <cmath>
#include <cstdint>

#include "harness/huge_array.hpp"
#include "harness/measure.hpp"

namespace sheaf_bench {

/// One row of the iteration: a quarter of what the four neighbours and the right-hand side add up to.
[[gnu::noinline]] inline void relax_row(double* __restrict next, double const* __restrict up,
                                        double const* __restrict here, double const* __restrict down,
                                        double const* __restrict right_hand, std::size_t n) {
  for (std::size_t j = 1; j <= n; ++j) {
    next[j] = 0.25 * ((up[j] + down[j]) + (here[j - 1] + here[j + 1]) + right_hand[j]);
  }
}

/// Rows 1 to `rows` of one strip, with the neighbours' rows (or the border's zeros) as rows 0 and rows + 1. There are
/// two grids: iteration k reads grid k % 2 and writes the other.
class jacobi_strip {
 public:
  /// `first_row` is where the strip begins in the whole grid.
  jacobi_strip(std::size_t n, std::size_t rows, std::size_t first_row)
      : n_(n),
        rows_(rows),
        first_row_(first_row),
        width_((n + 2 + 7) / 8 * 8),
        apart_(((rows + 2) * width_ + 511) / 512 * 512 + 176),
        memory_(3 * apart_) {
    reset();
  }

  std::size_t n() const { return n_; }
  std::size_t rows() const { return rows_; }

  /// The row, without its two border points, in the grid that iteration `k` reads.
  double* row(std::size_t r, std::int64_t k) { return at(grid_of(k), r) + 1; }

  void relax(std::size_t first, std::size_t last, std::int64_t k) {
    std::size_t const from = grid_of(k), to = grid_of(k + 1);
    for (std::size_t r = first; r <= last; ++r) {
      relax_row(at(to, r), at(from, r - 1), at(from, r), at(from, r + 1), at(right_hand, r), n_);
    }
  }

  /// Back to the start of iteration 0.
  void reset() {
    std::fill(memory_.begin(), memory_.end(), 0.0);
    for (std::size_t r = 1; r <= rows_; ++r) {
      for (std::size_t j = 1; j <= n_; ++j) {
        at(right_hand, r)[j] = static_cast<double>(((first_row_ + r) * 31 + j * 17) % 101) / 101;
      }
    }
  }

  /// A sum over the points before iteration `k`, weighted by where they are.
  double digest(std::int64_t k) {
    double sum = 0;
    for (std::size_t r = 1; r <= rows_; ++r) {
      double const* const values = row(r, k);
      for (std::size_t j = 0; j < n_; ++j) sum += values[j] * static_cast<double>(1 + ((first_row_ + r) * 7 + j) % 13);
    }
    return sum;
  }

 private:
  static constexpr std::size_t right_hand = 2;

  static std::size_t grid_of(std::int64_t k) { return static_cast<std::size_t>(k % 2); }
  double* at(std::size_t array, std::size_t r) { return memory_.data() + array * apart_ + r * width_; }

  std::size_t const n_, rows_, first_row_, width_;
  std::size_t const apart_;  // equal rows of the arrays lie apart modulo a page, or stores would hold up loads
  huge_array<double> memory_;
};

/// The digest of the whole grid after all iterations, by one strip.
inline double expected_jacobi(std::size_t n, std::size_t strips, std::int64_t iterations) {
  jacobi_strip whole(n, n * strips, 0);
  for (std::int64_t k = 0; k < iterations; ++k) whole.relax(1, whole.rows(), k);
  return whole.digest(iterations);
}

/// Equal but for the order of summation.
inline bool same_digest(double a, double b) { return std::abs(a - b) <= 1e-11 * std::abs(b); }

inline std::string result_member(double value) {
  char text[64];
  std::snprintf(text, sizeof text, ", \"result\": %.15g", value);
  return text;
}

}  // namespace sheaf_bench
