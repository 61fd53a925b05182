// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/member_boxes.hpp"

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
    EXPECT_EQ(boxes.find(rank), nullptr) << rank;
}

TEST(member_boxes, knows_every_member_of_a_team_that_is_used_whole) {
  constexpr std::uint64_t members = 1000;
  std::vector<outbox> all(members);
  member_boxes boxes;
  for (std::uint64_t rank = 0; rank < members; ++rank) boxes.put(rank, all[rank], members);
  for (std::uint64_t rank = 0; rank < members; ++rank) EXPECT_EQ(boxes.find(rank), &all[rank]);
  EXPECT_EQ(boxes.slots(), 1024u);
  EXPECT_EQ(boxes.find(members), nullptr);
}

TEST(member_boxes, grows_with_the_members_that_are_used_and_not_with_the_team) {
  constexpr std::uint64_t members = 1U << 20U;
  std::vector<outbox> all(16);
  member_boxes boxes;
  for (std::uint64_t i = 0; i < all.size(); ++i) boxes.put(i * 65'536, all[i], members);  // all in one slot
  EXPECT_LE(boxes.slots(), 128u);
  EXPECT_EQ(boxes.find(15 * 65'536), &all[15]) << "the last one is known";
}

}  // namespace
