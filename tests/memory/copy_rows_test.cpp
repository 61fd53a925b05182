// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "memory/kernels.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "memory/shapes.hpp"

namespace {

using sheaf::detail::paired_rows;
using sheaf_test::dice;
using sheaf_test::shape;

TEST(copy_rows, of_random_shapes_are_what_a_plain_loop_copies) {
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    dice random(seed);
    std::size_t const elements = sheaf_test::some_count(random);
    std::size_t const element = random.pick({1u, 2u, 4u, 8u, 12u, 16u, 24u, 40u});
    shape const to = some_shape(random, elements, element, true);
    shape const from = some_shape(random, elements, element, false);
    std::vector<std::byte> const source = sheaf_test::numbered(from.room, seed);
    std::vector<std::byte> target(to.room, std::byte{0xff}), plain = target;
    paired_rows(to.in(target.data()), from.in(source.data())).each(sheaf::detail::copy_rows);
    auto const left = to.places(), right = from.places();
    for (std::size_t i = 0; i < left.size(); ++i) plain[left[i]] = source[right[i]];
    ASSERT_EQ(target, plain) << "seed " << seed;
  }
}

TEST(copy_rows, of_each_size_and_number_changes_nothing_beside) {
  for (std::size_t row = 1; row <= 300; ++row) {
    for (std::size_t count : {1u, 2u, 3u, 4u, 5u, 8u, 11u}) {
      std::size_t const step = row + 5;
      std::vector<std::byte> const source = sheaf_test::numbered(count * (row + 3) + 1, row);
      std::vector<std::byte> target(count * step + 3, std::byte{0xff}), plain = target;
      // From the last row to the first, at addresses that are aligned to nothing.
      auto const back = static_cast<std::ptrdiff_t>(step);
      std::byte* const last = target.data() + 3 + (count - 1) * step;
      sheaf::detail::copy_rows({last, source.data() + 1, row, count, -back, static_cast<std::ptrdiff_t>(row) + 3});
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(plain.data() + 3 + (count - 1 - i) * step, source.data() + 1 + i * (row + 3), row);
      }
      ASSERT_EQ(target, plain) << count << " rows of " << row;
    }
  }
}

TEST(copy_rows, one_row_may_overlap_its_copy) {
  std::vector<std::byte> all = sheaf_test::numbered(1000, 0);
  std::vector<std::byte> plain = all;
  std::memmove(plain.data() + 10, plain.data(), 900);
  sheaf::detail::copy_rows({all.data() + 10, all.data(), 900, 1, 0, 0});
  EXPECT_EQ(all, plain);
}

}  // namespace
