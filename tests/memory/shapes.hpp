// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sheaf/memory/detail/strided.hpp"
#include "simulation/seeds.hpp"

namespace sheaf_test {

/// Part of a memory of `room` bytes, with its levels; it begins `first` bytes behind the start.
struct shape {
  std::size_t row = 1;
  std::vector<std::size_t> counts;
  std::vector<std::ptrdiff_t> steps;
  std::ptrdiff_t first = 0;
  std::size_t room = 1;

  template <class Byte>
  [[nodiscard]] sheaf::detail::basic_strided<Byte> in(Byte* memory) const {
    return {memory + first, row, counts, steps};
  }

  /// Where byte 0, 1, 2 … is, by a plain loop over all indices.
  [[nodiscard]] std::vector<std::ptrdiff_t> places() const {
    std::size_t all = row;
    for (std::size_t const count : counts) all *= count;
    std::vector<std::ptrdiff_t> found;
    for (std::size_t n = 0; n < all; ++n) {
      std::size_t left = n / row;
      std::ptrdiff_t at = first + static_cast<std::ptrdiff_t>(n % row);
      for (std::size_t i = 0; i < counts.size(); ++i) {
        at += static_cast<std::ptrdiff_t>(left % counts[i]) * steps[i];
        left /= counts[i];
      }
      found.push_back(at);
    }
    return found;
  }
};

/// Some numbers, among them 1, whose product is `product`.
inline std::vector<std::size_t> some_factors(dice& random, std::size_t product, std::size_t most) {
  std::vector<std::size_t> all(1 + random.below(most), 1);
  for (std::size_t prime = 2; product > 1; ++prime) {
    for (; product % prime == 0; product /= prime) all[random.below(all.size())] *= prime;
  }
  return all;
}

/// So many elements of `element` bytes in up to 7 levels. `apart`: none overlap, in any order, forwards or backwards;
/// else the levels have any steps. Steps are multiples of `grid`.
inline shape some_shape(dice& random, std::size_t elements, std::size_t element, bool apart, std::size_t grid = 1) {
  std::vector<std::size_t> factors = some_factors(random, elements, 8);
  shape s;
  s.row = factors.back() * element;
  factors.pop_back();
  s.counts = factors;
  s.steps.resize(factors.size());
  std::vector<std::size_t> order(factors.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (random.one_in(2)) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  std::size_t const padding = random.pick({1u, 1u, 4u});
  std::size_t span = s.row;
  for (std::size_t const level : order) {
    std::size_t const step = (apart ? (span + grid - 1) / grid + random.below(padding) : random.below(20)) * grid;
    std::size_t const reach = step * (s.counts[level] - 1);
    bool const backwards = random.one_in(3);
    s.steps[level] = backwards ? -static_cast<std::ptrdiff_t>(step) : static_cast<std::ptrdiff_t>(step);
    if (backwards) s.first += static_cast<std::ptrdiff_t>(reach);
    span += reach;
  }
  s.room = span;
  return s;
}

/// A number of elements with many divisors, or few.
inline std::size_t some_count(dice& random) {
  return random.pick({1u, 2u, 3u, 7u, 8u, 12u, 30u, 36u, 64u, 72u, 97u, 120u, 210u, 256u, 360u});
}

inline std::vector<std::byte> numbered(std::size_t bytes, std::size_t first) {
  std::vector<std::byte> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<std::byte>((first + i * 7) % 251);
  return all;
}

}  // namespace sheaf_test
