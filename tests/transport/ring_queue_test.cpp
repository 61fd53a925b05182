// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/transport/ring_queue.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace sheaf::detail {
namespace {

TEST(ring_queue, keeps_the_order_while_it_grows_and_wraps) {
  ring_queue<std::unique_ptr<int>> queue;
  int in = 0;
  int out = 0;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < round % 7 + 1; ++i) queue.push(std::make_unique<int>(in++));
    for (int i = 0; i < round % 5 && !queue.empty(); ++i) EXPECT_EQ(*queue.pop(), out++);
  }
  EXPECT_EQ(queue.size(), static_cast<std::size_t>(in - out));
  int seen = out;
  queue.each([&](auto const& item) { EXPECT_EQ(*item, seen++); });
  EXPECT_EQ(seen, in);
  for (; !queue.empty(); queue.drop()) EXPECT_EQ(*queue.front(), out++);
  EXPECT_EQ(in, out);
}

}  // namespace
}  // namespace sheaf::detail
