// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/reply_windows.hpp"

#include <gtest/gtest.h>

#include "sheaf/base/error.hpp"

namespace {

using sheaf::detail::reply_window_entry;
using sheaf::detail::reply_windows;
using sheaf::detail::token_of;

struct reply_windows_test : testing::Test {
  std::uint64_t unanswered = 0;
  int slots[8] = {};
  reply_windows windows;

  reply_window_entry entry() { return {slots, token_of<int>(), 8, 0, &unanswered, nullptr}; }
  static std::uint32_t token(std::uint32_t window, std::uint32_t slot) { return window << reply_windows::slot_bits | slot; }
};

TEST_F(reply_windows_test, counts_a_window_once_while_it_awaits_anything) {
  std::uint32_t const w = windows.add(entry());
  windows[w].await();
  windows[w].await();
  EXPECT_EQ(unanswered, 1u);
  windows[w].arrived();
  EXPECT_EQ(unanswered, 1u);
  windows[w].arrived();
  EXPECT_EQ(unanswered, 0u);
}

TEST_F(reply_windows_test, finds_only_what_is_awaited_in_a_slot_that_exists_with_the_right_type) {
  std::uint32_t const w = windows.add(entry());
  EXPECT_EQ(windows.find(token(w, 3)), nullptr) << "awaits nothing";
  windows[w].await();
  EXPECT_EQ(windows.find(token(w, 3)), &windows[w]);
  EXPECT_EQ(windows.find(token(w, 7), token_of<int>()), &windows[w]);
  EXPECT_EQ(windows.find(token(w, 7), token_of<unsigned>()), nullptr);
  EXPECT_EQ(windows.find(token(w, 8)), nullptr) << "no such slot";
  EXPECT_EQ(windows.find(token(w + 1, 0)), nullptr) << "no such window";
  EXPECT_EQ(windows.find(~0u), nullptr);
  EXPECT_EQ(reply_windows::slot_of(token(w, 7)), 7u);
}

TEST_F(reply_windows_test, uses_the_number_of_a_removed_window_again) {
  std::uint32_t const first = windows.add(entry()), second = windows.add(entry());
  EXPECT_NE(first, second);
  windows[first].await();
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
