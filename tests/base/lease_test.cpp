// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/lease.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

using sheaf::detail::restoring;

TEST(restoring, a_variable_has_its_old_value_again_at_the_end) {
  bool flag = false;
  {
    restoring const outer(flag, true);
    EXPECT_TRUE(flag);
    {
      restoring const inner(flag, false);
      EXPECT_FALSE(flag);
    }
    EXPECT_TRUE(flag);
  }
  EXPECT_FALSE(flag);
}

TEST(restoring, also_where_an_exception_leaves) {
  std::string text = "before";
  try {
    restoring const meanwhile(text, std::string("meanwhile"));
    text += " changed";
    throw std::runtime_error("out");
  } catch (std::runtime_error const&) {
    EXPECT_EQ(text, "before");
  }
  EXPECT_EQ(text, "before");
}

}  // namespace
