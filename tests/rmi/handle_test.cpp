// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/handle.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using sheaf::handle;

TEST(handle, names_nothing_by_default) {
  handle<int> const none;
  EXPECT_FALSE(none.valid());
  EXPECT_EQ(none, handle<int>());
}

TEST(handle, keeps_team_and_object) {
  handle<int> const h(0xfffff, 0xffffff);
  EXPECT_TRUE(h.valid());
  EXPECT_EQ(h.team_id(), 0xfffffu);
  EXPECT_EQ(h.object_number(), 0xffffffu);
  EXPECT_EQ(h.tag().handler(), 0u);
  EXPECT_EQ(h, handle<int>(0xfffff, 0xffffff));
  EXPECT_NE(h, handle<int>(0xfffff, 1));
  EXPECT_NE(h, handle<int>(1, 0xffffff));
}

TEST(handle, travels_as_bytes) {
  static_assert(std::is_trivially_copyable_v<handle<int>>);
  static_assert(sizeof(handle<int>) == 8);
}

}  // namespace
