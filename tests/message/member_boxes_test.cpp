// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/team_state.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sheaf/message/outbox.hpp"

namespace {

using sheaf::detail::member_boxes;
using sheaf::detail::outbox;

TEST(member_boxes, knows_no_rank_at_first_and_never_one_beyond_the_team) {
  member_boxes boxes;
  for (std::uint64_t rank :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{16}, std::uint64_t{1} << 40U, ~std::uint64_t{0}})
    EXPECT_EQ(&boxes.at(rank), &member_boxes::unmet) << rank;
}

TEST(member_boxes, knows_the_members_that_were_used_and_no_others) {
  constexpr std::uint64_t members = 1000;
  std::vector<outbox> all(members);
  member_boxes boxes;
  for (std::uint64_t rank = members; rank-- != 0;) {
    if (rank % 3 == 0) boxes.put(rank, all[rank], members);
  }
  for (std::uint64_t rank = 0; rank < members; ++rank)
    EXPECT_EQ(&boxes.at(rank), rank % 3 == 0 ? &all[rank] : &member_boxes::unmet) << rank;
  EXPECT_EQ(&boxes.at(members), &member_boxes::unmet);
}

TEST(member_boxes, leaves_teams_of_very_many_to_the_table_of_the_stream) {
  outbox one;
  member_boxes boxes;
  boxes.put(1, one, member_boxes::most + 1);
  EXPECT_EQ(&boxes.at(1), &member_boxes::unmet);
  boxes.put(1, one, member_boxes::most);
  EXPECT_EQ(&boxes.at(1), &one);
}

}  // namespace
