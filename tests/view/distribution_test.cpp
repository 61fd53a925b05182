// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/view/distribution.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "harness/text_of.hpp"
#include "sheaf/base/error.hpp"

namespace {

using sheaf::distribution;
using grid = std::vector<std::uint32_t>;

grid of(std::uint32_t members, std::vector<distribution> const& how, grid const& given = {}) {
  return sheaf::process_grid(members, how, given);
}

TEST(distribution, has_a_balanced_grid) {
  auto const block = distribution::block(), none = distribution::collapsed();
  EXPECT_EQ(of(1, {block, block}), (grid{1, 1}));
  EXPECT_EQ(of(7, {block, none}), (grid{7, 1}));
  EXPECT_EQ(of(7, {none, block}), (grid{1, 7}));
  EXPECT_EQ(of(12, {block, none, distribution::cyclic()}), (grid{4, 1, 3}));
  EXPECT_EQ(of(24, {block, block, block}), (grid{4, 3, 2}));
  EXPECT_EQ(of(4, {none, none}), (grid{1, 1}));
  EXPECT_EQ(of(12, {block, block}, {0, 6}), (grid{2, 6}));
  EXPECT_EQ(of(12, {block, block}, {2, 5}), (grid{2, 5}));
}

TEST(distribution, refuses_a_grid_that_does_not_fit) {
  auto const text = [](grid const& given) {
    return sheaf_test::text_of<sheaf::usage_error>([&] {
      of(12, {distribution::block(), distribution::block()}, given);
    });
  };
  EXPECT_NE(text({0, 5}).find("multiply to 5, and the team has 12 members; give a divisor of that"), std::string::npos);
  EXPECT_NE(text({4, 4}).find("multiply to 16, and the team has 12 members; give 1 to 12"), std::string::npos);
  EXPECT_NE(text({4}).find("a process grid of 1 dimensions is given for an array of 2"), std::string::npos);
}

TEST(distribution, is_block_cyclic_whatever_its_form) {
  EXPECT_EQ(distribution::block().over(10, 4).block(), 3u);
  EXPECT_EQ(distribution::block(5).over(10, 4).block(), 5u);
  EXPECT_EQ(distribution::cyclic().over(10, 4).block(), 1u);
  EXPECT_EQ(distribution::cyclic(2).over(10, 4).count(0), 4u);
  EXPECT_EQ(distribution::collapsed().over(10, 1).count(0), 10u);
  EXPECT_EQ(distribution::block().over(0, 4).count(3), 0u);
}

}  // namespace
