// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/open_calls.hpp"

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
    return entries.emplace_back(reply_window_entry{slots, token_of<int>(), 8, &unanswered, nullptr});
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
  window.arrived(1);
  EXPECT_EQ(unanswered, 1u);
  window.arrived(1);
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

TEST_F(reply_windows_test, an_orphan_keeps_its_number_until_its_last_reply_has_come) {
  std::uint32_t w = 0;
  static int destroyed;
  destroyed = 0;
  std::string error;
  {
    reply_window_entry short_lived{slots, token_of<int>(), 8, &unanswered, &error};
    w = windows.add(short_lived);
    short_lived.await();
    short_lived.await();
    windows.orphan(w, slots, [](void*) { ++destroyed; });
    short_lived = {};
  }
  for (int left = 2; left > 0; --left) {
    EXPECT_NE(windows.add(entry()), w);
    EXPECT_EQ(destroyed, 0);
    reply_window_entry* const found = windows.find(token(w, 7), token_of<int>());
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->slots, slots);
    EXPECT_NE(found->error, &error) << "that may be gone";
    found->arrived(1);
  }
  EXPECT_EQ(unanswered, 0u);
  EXPECT_EQ(windows.find(token(w, 7)), nullptr) << "awaits nothing more";
  EXPECT_EQ(windows.add(entry()), w);
  EXPECT_EQ(destroyed, 1);
}

TEST(reply_windows_end, orphans_end_with_the_table) {
  static int destroyed;
  destroyed = 0;
  std::uint64_t unanswered = 0;
  {
    reply_windows windows;
    reply_window_entry entry{nullptr, token_of<int>(), 8, &unanswered, nullptr};
    std::uint32_t const w = windows.add(entry);
    entry.await();
    windows.orphan(w, nullptr, [](void*) { ++destroyed; });
  }
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
