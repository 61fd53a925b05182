// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

namespace sheaf::detail {

/// Divides many numbers by the same one: by a multiplication, where numbers and divisor are below 2^32. With
/// m = ⌈2^64 / d⌉ = (2^64 + e) / d, e < d, n·m / 2^64 is n / d + n·e / (d·2^64), and the second part is below 1 / d.
class divisor {
 public:
  /// `by` ≥ 1; the numbers will be less than `end`.
  divisor(std::uint64_t by, std::uint64_t end)
      : by_(by), factor_(by > 1 && by < most && end <= most ? ~std::uint64_t{0} / by + 1 : 0) {}

  [[nodiscard]] std::uint64_t operator()(std::uint64_t number) const {
    if (factor_ == 0) return number / by_;
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>(wide{number} * factor_ >> 64U);
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 32U;
  std::uint64_t by_, factor_;
};

}  // namespace sheaf::detail
