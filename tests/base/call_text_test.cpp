// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/call_text.hpp"

#include <gtest/gtest.h>

namespace {

using sheaf::detail::called_at;
using sheaf::detail::rank_text;

TEST(call_text, says_where_a_call_stands_as_far_as_it_is_known) {
  EXPECT_EQ(called_at({"app.cpp", 41}), " (called at app.cpp:41)");
  EXPECT_EQ(called_at({"the end of a fence", 0}), " (called at the end of a fence)");
  EXPECT_EQ(called_at({}), "");
}

TEST(call_text, ranks_are_told_as_they_were_written) {
  int const minus_one = -1;
  EXPECT_EQ(rank_text(static_cast<std::uint64_t>(minus_one)), "-1");
  EXPECT_EQ(rank_text(static_cast<std::uint32_t>(minus_one)), "-1");
  EXPECT_EQ(rank_text(std::uint64_t{7}), "7");
  EXPECT_EQ(rank_text(std::uint32_t{7}), "7");
}

}  // namespace
