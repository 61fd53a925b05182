// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::detail {

class bitmap {
 public:
  static constexpr unsigned word_bits = 64;

  explicit bitmap(std::uint64_t bits) : words_(bits / 64 + 1, 0) {}

  [[nodiscard]] bool operator[](std::uint64_t at) const { return (words_[at / 64] >> at % 64 & 1U) != 0; }
  void set(std::uint64_t at) { words_[at / 64] |= std::uint64_t{1} << at % 64; }
  void unset(std::uint64_t at) { words_[at / 64] &= ~(std::uint64_t{1} << at % 64); }
  void clear() { words_.assign(words_.size(), 0); }

  /// Those from `at` on, a multiple of 64.
  [[nodiscard]] std::uint64_t word(std::uint64_t at) const { return words_[at / 64]; }
  /// The 64 bits from `at` on, which may be any.
  [[nodiscard]] std::uint64_t bits_from(std::uint64_t at) const {
    if (at % 64 == 0) return words_[at / 64];
    return words_[at / 64] >> at % 64 | words_[at / 64 + 1] << (64 - at % 64);
  }
  /// Sets those of 64 bits from `at` on that are set in `bits`.
  void add_word(std::uint64_t at, std::uint64_t bits) {
    words_[at / 64] |= bits << at % 64;
    if (at % 64 != 0 && at / 64 + 1 < words_.size()) words_[at / 64 + 1] |= bits >> (64 - at % 64);
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace sheaf::detail
