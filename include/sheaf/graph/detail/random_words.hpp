// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

namespace sheaf::detail {

/// The finisher of SplitMix64 (Steele, Lea, Flood 2014): a bijection in which each bit depends on all.
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// Random numbers that are functions of a seed, a purpose and an index: whoever asks gets the same, in any order.
/// Different purposes of one seed do not depend on each other.
class random_words {
 public:
  constexpr random_words(std::uint64_t seed, std::uint64_t purpose) : start_(mixed(mixed(seed + step) + purpose)) {}

  [[nodiscard]] constexpr std::uint64_t word(std::uint64_t index) const { return mixed(start_ + step * (index + 1)); }
  /// In 0…limit−1; limit is not 0. Each has a probability of 1/limit up to 2^-64.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t limit, std::uint64_t index) const {
    return static_cast<std::uint64_t>(static_cast<wide>(word(index)) * limit >> 64U);
  }
  /// In [0, 1), a multiple of 2^-bits; bits is at most 53.
  [[nodiscard]] constexpr double unit(std::uint64_t index, int bits = 53) const {
    return static_cast<double>(word(index) >> (64 - bits)) / static_cast<double>(std::uint64_t{1} << bits);
  }

 private:
  __extension__ using wide = unsigned __int128;
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;

  std::uint64_t start_;
};

}  // namespace sheaf::detail
