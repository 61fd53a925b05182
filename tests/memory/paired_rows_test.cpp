// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "memory/paired_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/text_of.hpp"
#include "memory/shapes.hpp"
#include "sheaf/base/error.hpp"

namespace {

using sheaf::detail::paired_rows;
using sheaf_test::dice;
using sheaf_test::shape;

/// The pairs of places that blocks have, sorted.
using places = std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>>;

struct blocks {
  places pairs;
  std::size_t count = 0, rows = 0;
};

blocks blocks_of(shape const& to, shape const& from) {
  std::vector<std::byte> left(to.room), right(from.room);
  blocks all;
  paired_rows(to.in(left.data()), from.in(right.data())).each([&](paired_rows::block const& b) {
    ++all.count;
    all.rows += b.count;
    for (std::size_t i = 0; i < b.count; ++i) {
      std::byte const* const there = b.to + static_cast<std::ptrdiff_t>(i) * b.to_step;
      std::byte const* const here = b.from + static_cast<std::ptrdiff_t>(i) * b.from_step;
      for (std::size_t k = 0; k < b.row; ++k) all.pairs.emplace_back(there + k - left.data(), here + k - right.data());
    }
  });
  std::sort(all.pairs.begin(), all.pairs.end());
  return all;
}

places expected(shape const& to, shape const& from) {
  auto const left = to.places(), right = from.places();
  places all;
  for (std::size_t i = 0; i < left.size(); ++i) all.emplace_back(left[i], right[i]);
  std::sort(all.begin(), all.end());
  return all;
}

TEST(paired_rows, random_pairs_of_shapes_have_the_places_of_a_plain_loop) {
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    dice random(seed);
    std::size_t const bytes = sheaf_test::some_count(random);
    shape const to = some_shape(random, bytes, 1, true);
    shape const from = some_shape(random, bytes, 1, random.one_in(2));
    ASSERT_EQ(blocks_of(to, from).pairs, expected(to, from)) << "seed " << seed;
  }
}

TEST(paired_rows, levels_that_both_sides_have_are_blocks_of_rows) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    dice random(seed);
    shape const to = some_shape(random, sheaf_test::some_count(random), 1, true);
    shape from = to;
    for (std::ptrdiff_t& step : from.steps) step *= 2;
    from.first *= 2;
    from.room *= 2;
    std::size_t all = 1;
    for (std::size_t const count : to.counts) all *= count;
    blocks const found = blocks_of(to, from);
    ASSERT_EQ(found.pairs, expected(to, from)) << "seed " << seed;
    ASSERT_LE(found.rows, all) << "no row is cut, seed " << seed;
  }
}

TEST(paired_rows, what_lies_end_to_end_in_both_is_one_row) {
  shape const whole{240, {}, {}, 0, 240};
  for (shape const& parts : {shape{8, {30}, {8}, 0, 240}, shape{1, {2, 3, 40}, {1, 2, 6}, 0, 240},
                             shape{24, {1, 10, 1}, {-5, 24, 99}, 0, 240}, whole}) {
    for (blocks const& found : {blocks_of(whole, parts), blocks_of(parts, whole), blocks_of(parts, parts)}) {
      EXPECT_EQ(found.rows, 1u);
      EXPECT_EQ(found.count, 1u);
    }
  }
}

TEST(paired_rows, rows_at_one_step_are_one_block) {
  shape const matrix{8, {5, 6}, {16, 80}, 0, 480};  // every second word, in an array without gaps
  shape const packed{240, {}, {}, 0, 240};
  EXPECT_EQ(blocks_of(matrix, packed).count, 1u);
  EXPECT_EQ(blocks_of(matrix, packed).rows, 30u);
  shape const with_gaps{8, {5, 6}, {16, 96}, 0, 576};
  EXPECT_EQ(blocks_of(packed, with_gaps).count, 6u);
}

TEST(paired_rows, has_up_to_31_levels) {
  shape deep{1, std::vector<std::size_t>(31, 1), std::vector<std::ptrdiff_t>(31, 5), 0, 64};
  deep.counts[3] = deep.counts[30] = 2;
  shape const flat{4, {}, {}, 0, 4};
  EXPECT_EQ(blocks_of(deep, flat).pairs, expected(deep, flat));
  EXPECT_EQ(blocks_of(flat, deep).pairs, expected(flat, deep));
  deep.counts.push_back(1);
  deep.steps.push_back(1);
  std::string const text = sheaf_test::text_of<sheaf::usage_error>([&] { blocks_of(flat, deep); });
  EXPECT_NE(text.find("32 levels, and may have 0 to 31"), text.npos) << text;
}

}  // namespace
