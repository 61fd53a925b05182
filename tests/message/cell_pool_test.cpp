// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/open_calls.hpp"

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

TEST(cell_pool, a_token_names_its_cell_however_many_there_are) {
  cell_pool pool;
  std::vector<void*> cells;
  std::set<std::uint32_t> tokens;
  for (int i = 0; i < 5000; ++i) {
    cells.push_back(pool.take());
    tokens.insert(cell_pool::token_of(cells.back()));
  }
  EXPECT_EQ(tokens.size(), cells.size());
  for (void* const cell : cells) EXPECT_EQ(pool.at(cell_pool::token_of(cell)), cell);
}

TEST(cell_pool, other_tokens_name_nothing_or_what_is_zero_behind_two_pointers) {
  cell_pool pool;
  EXPECT_FALSE(pool.reaches(0)) << "nothing has been taken yet";
  std::set<std::uint32_t> taken;
  for (int i = 0; i < 100; ++i) taken.insert(cell_pool::token_of(pool.take()));
  std::mt19937 random(1);
  constexpr std::size_t pointers = 2 * sizeof(void*);
  char const zeros[cell_pool::cell_bytes - pointers] = {};
  for (int i = 0; i < 1'000'000; ++i) {
    auto const guess = static_cast<std::uint32_t>(i < 100'000 ? i : random() % (i < 200'000 ? 1U << 14U : ~0U));
    if (!pool.reaches(guess) || taken.count(guess & ~63U) != 0) continue;
    EXPECT_EQ(std::memcmp(pool.at(guess) + pointers, zeros, sizeof zeros), 0) << guess;
  }
}

}  // namespace
