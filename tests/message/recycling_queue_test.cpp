// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/recycling_queue.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>

namespace {

using sheaf::recycling_queue;

TEST(recycling_queue, is_first_in_first_out_whatever_its_length) {
  recycling_queue<int> queue;
  std::deque<int> expected;
  std::mt19937 random(5);
  for (int i = 0; i < 20'000; ++i) {
    bool const push = expected.empty() || random() % 1000 < (i / 2000 % 2 == 0 ? 600 : 400);
    if (push) {
      queue.push_back(i);
      expected.push_back(i);
    } else {
      ASSERT_EQ(queue.front(), expected.front());
      queue.pop_front();
      expected.pop_front();
    }
    ASSERT_EQ(queue.empty(), expected.empty());
    ASSERT_EQ(queue.size(), expected.size());
  }
}

TEST(recycling_queue, lets_go_of_what_was_popped_at_once) {
  recycling_queue<std::shared_ptr<int>> queue;
  auto const item = std::make_shared<int>(1);
  for (int i = 0; i < 3; ++i) queue.push_back(item);
  EXPECT_EQ(item.use_count(), 4);
  queue.pop_front();
  EXPECT_EQ(item.use_count(), 3);
}

}  // namespace
