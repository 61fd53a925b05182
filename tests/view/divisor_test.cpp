// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "view/divisor.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace {

using sheaf::detail::divisor;

TEST(divisor, divides_as_the_processor_does) {
  std::mt19937_64 random(1);
  constexpr std::uint64_t end = std::uint64_t{1} << 32U;
  for (std::uint64_t const by : {1ul, 2ul, 3ul, 7ul, 64ul, 1000ul, 65537ul, end / 2 + 1, end - 2, end - 1}) {
    divisor const d(by, end), large(by, 2 * end);
    for (std::uint64_t const near : {0ul, by, 2 * by, end / by * by, end - 1}) {
      for (std::uint64_t n = near < 3 ? 0 : near - 3; n < near + 3 && n < end; ++n) EXPECT_EQ(d(n), n / by) << n;
    }
    for (int i = 0; i < 1000; ++i) {
      std::uint64_t const n = random() % (2 * end);
      EXPECT_EQ(d(n % end), n % end / by);
      EXPECT_EQ(large(n), n / by);
    }
  }
}

}  // namespace
