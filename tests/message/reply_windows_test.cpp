// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/reply_windows.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "sheaf/base/error.hpp"

namespace {

using sheaf::detail::reply_window_entry;
using sheaf::detail::reply_windows;
using sheaf::detail::token_of;

struct reply_windows_test : testing::Test {
  std::uint64_t unanswered = 0;
  int slots[8] = {};
  reply_windows windows;

  std::deque<reply_window_entry> entries;

  reply_window_entry& entry() {
    return entries.emplace_back(reply_window_entry{slots, token_of<int>(), 8, 0, &unanswered, nullptr});
  }
  static std::uint32_t token(std::uint32_t window, std::uint32_t slot) {
    return window << reply_windows::slot_bits | slot;
  }
};

TEST_F(reply_windows_test, counts_a_window_once_while_it_awaits_anything) {
  reply_window_entry& window = entry();
  windows.add(window);
  window.await();
  window.await();
  EXPECT_EQ(unanswered, 1u);
  window.arrived();
  EXPECT_EQ(unanswered, 1u);
  window.arrived();
  EXPECT_EQ(unanswered, 0u);
}

TEST_F(reply_windows_test, finds_only_what_is_awaited_in_a_slot_that_exists_with_the_right_type) {
  reply_window_entry& window = entry();
  std::uint32_t const w = windows.add(window);
  EXPECT_EQ(windows.find(token(w, 3)), nullptr) << "awaits nothing";
  window.await();
  EXPECT_EQ(windows.find(token(w, 3)), &window);
  EXPECT_EQ(windows.find(token(w, 7), token_of<int>()), &window);
  EXPECT_EQ(windows.find(token(w, 7), token_of<unsigned>()), nullptr);
  EXPECT_EQ(windows.find(token(w, 8)), nullptr) << "no such slot";
  EXPECT_EQ(windows.find(token(w + 1, 0)), nullptr) << "no such window";
  EXPECT_EQ(windows.find(~0u), nullptr);
  EXPECT_EQ(reply_windows::slot_of(token(w, 7)), 7u);
}

TEST_F(reply_windows_test, uses_the_number_of_a_removed_window_again) {
  reply_window_entry& one = entry();
  std::uint32_t const first = windows.add(one), second = windows.add(entry());
  EXPECT_NE(first, second);
  one.await();
  windows.remove(first);
  EXPECT_EQ(windows.find(token(first, 0)), nullptr);
  EXPECT_EQ(windows.add(entry()), first);
  EXPECT_EQ(windows.find(token(first, 0)), nullptr) << "the new one awaits nothing";
}

TEST_F(reply_windows_test, says_when_all_numbers_are_in_use) {
  for (std::uint32_t i = 0; i < reply_windows::most_windows; ++i) windows.add(entry());
  EXPECT_THROW(windows.add(entry()), sheaf::usage_error);
  windows.remove(17);
  EXPECT_EQ(windows.add(entry()), 17u);
}

}  // namespace
