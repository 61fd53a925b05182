// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/async/detail/cell_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <vector>

namespace {

using sheaf::detail::cell_pool;

TEST(cell_pool, cells_in_use_are_apart_and_each_is_one_cache_line) {
  cell_pool pool;
  std::set<std::uintptr_t> cells;
  for (int i = 0; i < 1000; ++i) cells.insert(reinterpret_cast<std::uintptr_t>(pool.take()));
  ASSERT_EQ(cells.size(), 1000u);
  std::uintptr_t before = 0;
  for (std::uintptr_t const cell : cells) {
    EXPECT_EQ(cell % cell_pool::cell_bytes, 0u);
    EXPECT_GE(cell, before + (before == 0 ? 0 : cell_pool::cell_bytes));
    before = cell;
  }
}

TEST(cell_pool, the_last_one_given_back_is_the_next_one_taken) {
  cell_pool pool;
  void* const first = pool.take();
  void* const second = pool.take();
  cell_pool::give_back(first);
  cell_pool::give_back(second);
  EXPECT_EQ(pool.take(), second);
  EXPECT_EQ(pool.take(), first);
}

}  // namespace
