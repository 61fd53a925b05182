// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/sparse_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using sheaf::detail::sparse_table;

TEST(sparse_table, finds_what_was_made_and_nothing_else) {
  sparse_table<int> table;
  EXPECT_EQ(table.find(7), nullptr);
  table[7] = 1;
  ASSERT_NE(table.find(7), nullptr);
  EXPECT_EQ(*table.find(7), 1);
  EXPECT_EQ(table.find(8), nullptr);
  EXPECT_EQ(table.size(), 1u);
}

TEST(sparse_table, keeps_values_where_they_are_while_it_grows) {
  sparse_table<std::uint32_t> table;
  std::vector<std::uint32_t*> at;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    std::uint32_t const key = i * 65'537;  // spread over all numbers
    table[key] = i;
    at.push_back(&table[key]);
  }
  EXPECT_EQ(table.size(), 1000u);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(&table[i * 65'537], at[i]);
    EXPECT_EQ(*at[i], i);
  }
}

TEST(sparse_table, visits_in_the_order_of_first_use_and_sorts_keys) {
  sparse_table<int> table;
  for (std::uint32_t const key : {0xFFFFFFFFu, 0u, 5u}) table[key] = 1;
  std::vector<std::uint32_t> seen;
  table.each([&](std::uint32_t key, int& value) { seen.push_back(key + static_cast<std::uint32_t>(value)); });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 1, 6}));
  EXPECT_EQ(table.sorted_keys(), (std::vector<std::uint32_t>{0, 5, 0xFFFFFFFF}));
}

}  // namespace
