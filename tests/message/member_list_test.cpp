// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/team_state.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using sheaf::location_id;
using sheaf::detail::member_list;

std::vector<location_id> of(std::vector<std::uint32_t> const& numbers) {
  std::vector<location_id> all;
  for (std::uint32_t const n : numbers) all.push_back(location_id{n});
  return all;
}

TEST(member_list, gives_back_what_it_was_made_of) {
  for (auto const& numbers : std::vector<std::vector<std::uint32_t>>{
           {}, {5}, {0, 1, 2}, {4, 8, 12}, {9, 6, 3, 0}, {0, 1, 3}, {7, 7, 7}, {3, 0, 1, 2}}) {
    member_list const list(of(numbers));
    EXPECT_EQ(list.in_order(), of(numbers));
    ASSERT_EQ(list.size(), numbers.size());
    for (std::uint32_t rank = 0; rank < list.size(); ++rank) {
      EXPECT_EQ(number(list[rank]), numbers[rank]);
      if (numbers[0] != 7) {
        EXPECT_EQ(list.rank_of(location_id{numbers[rank]}), rank);
      }
    }
    EXPECT_EQ(list.rank_of(location_id{100}), list.size()) << "no member";
  }
}

TEST(member_list, of_everybody_is_that_of_all_in_order) {
  EXPECT_EQ(member_list::everybody(4), member_list(of({0, 1, 2, 3})));
  EXPECT_EQ(member_list::everybody(4).rank_of(location_id{3}), 3u);
  EXPECT_EQ(member_list::everybody(4).rank_of(location_id{4}), 4u);
  EXPECT_NE(member_list::everybody(4), member_list(of({0, 1, 3, 2})));
}

}  // namespace
