// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The work of the inner-product rows (STAPL infrastructure, Tables 2 and 3): the inner product of a vector of doubles
/// with itself, cut into equal parts. The values are small whole numbers, so that the sum is exact in any order.
#pragma once

#include <cstdint>
#include <span>

#include "harness/huge_array.hpp"
#include "harness/measure.hpp"

namespace sheaf_bench {

/// One location's part of a vector of `size` values.
class part_of_vector {
 public:
  part_of_vector(std::int64_t size, int place, int places)
      : from_(size * place / places), values_(static_cast<std::size_t>(size * (place + 1) / places - from_)) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = value_at(from_ + static_cast<std::int64_t>(i));
  }

  std::span<double const> values() { return {values_.data(), values_.size()}; }

  static double value_at(std::int64_t i) { return static_cast<double>(i * 7919 % 1021); }

 private:
  std::int64_t const from_;
  huge_array<double> values_;
};

/// The sum of products, with so many partial sums that memory is what it waits for.
[[gnu::noinline]] inline double inner_product(std::span<double const> x, std::span<double const> y) {
  constexpr std::size_t lanes = 32;
  double partial[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= x.size(); i += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) partial[k] += x[i + k] * y[i + k];
  }
  for (std::size_t k = 0; i < x.size(); ++i, ++k) partial[k] += x[i] * y[i];
  double sum = 0;
  for (double const p : partial) sum += p;
  return sum;
}

/// What everybody must get: the serial sum in whole numbers.
inline double expected_inner_product(std::int64_t size) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    auto const v = static_cast<std::int64_t>(part_of_vector::value_at(i));
    sum += v * v;
  }
  return static_cast<double>(sum);
}

}  // namespace sheaf_bench
