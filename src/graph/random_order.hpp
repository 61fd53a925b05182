// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <bit>
#include <cstdint>

#include "sheaf/graph/detail/random_words.hpp"

namespace sheaf::detail {

/// A pseudo-random permutation of 0…n−1 without a table: a Feistel network over the next power of two, repeated until
/// the result is below n (cycle walking; Black and Rogaway 2002), which takes fewer than two turns on average.
class random_order {
 public:
  random_order(std::uint64_t n, std::uint64_t seed)
      : n_(n),
        low_bits_(static_cast<unsigned>(std::bit_width(n < 2 ? 0 : n - 1)) / 2),
        low_mask_((std::uint64_t{1} << low_bits_) - 1),
        high_mask_(std::bit_ceil(n < 2 ? 1 : n) / (low_mask_ + 1) - 1),
        words_(seed, 0x6f72646572) {}

  /// Of i in 0…n−1.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const {
    do {
      i = once(i);
    } while (i >= n_);
    return i;
  }

 private:
  static constexpr std::uint64_t rounds = 4;  // of both halves

  /// Each half in turn is changed by a function of the other one, which can be undone: a bijection.
  [[nodiscard]] std::uint64_t once(std::uint64_t i) const {
    std::uint64_t low = i & low_mask_, high = i >> low_bits_;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      high ^= words_.word(low * 2 * rounds + 2 * round) & high_mask_;
      low ^= words_.word(high * 2 * rounds + 2 * round + 1) & low_mask_;
    }
    return high << low_bits_ | low;
  }

  std::uint64_t n_;
  unsigned low_bits_;
  std::uint64_t low_mask_, high_mask_;
  random_words words_;
};

}  // namespace sheaf::detail
