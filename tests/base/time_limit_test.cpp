// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/time_limit.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace {

TEST(time_limit, that_is_taken_back_at_once_is_not_exceeded) {
  std::atomic<int> late{0};
  for (int i = 0; i < 3000; ++i) {
    sheaf::detail::time_limit const limit(std::chrono::hours(1), [&] { ++late; });
  }
  EXPECT_EQ(late, 0);
}

TEST(time_limit, calls_when_the_time_has_passed) {
  std::atomic<bool> late{false};
  sheaf::detail::time_limit const limit(std::chrono::nanoseconds(0), [&] {
    late = true;
    late.notify_one();
  });
  late.wait(false);
}

}  // namespace
