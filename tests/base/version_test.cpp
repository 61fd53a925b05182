// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/version.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace {

TEST(version, is_three_numbers) {
  unsigned major = 0, minor = 0, patch = 0;
  int read = 0;
  ASSERT_EQ(std::sscanf(sheaf::version(), "%u.%u.%u%n", &major, &minor, &patch, &read), 3) << sheaf::version();
  EXPECT_EQ(sheaf::version()[read], '\0') << sheaf::version();
}

}  // namespace
