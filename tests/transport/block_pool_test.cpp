// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/block_pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "transport/fake_wire.hpp"

namespace sheaf::host {
namespace {

std::span<std::byte> take_and_put(block_pool& pool, std::size_t bytes) {
  std::span<std::byte> const block = pool.take(bytes);
  pool.put(block.data(), block.size());
  return block;
}

TEST(block_pool, keeps_blocks_of_one_size_that_hold_all_smaller_ones) {
  heap_memory memory;
  block_pool pool(100, memory);
  EXPECT_EQ(take_and_put(pool, 1).size(), 128u) << "whole lines";
  EXPECT_EQ(take_and_put(pool, 128).size(), 128u);
  EXPECT_EQ(take_and_put(pool, 129).size(), 129u);
}

TEST(block_pool, keeps_powers_of_two_up_to_the_largest) {
  heap_memory memory;
  block_pool pool(100'032, memory, {.smallest = 64});
  EXPECT_EQ(take_and_put(pool, 1).size(), 64u);
  EXPECT_EQ(take_and_put(pool, 65).size(), 128u);
  EXPECT_EQ(take_and_put(pool, 65'537).size(), 100'032u);
  EXPECT_EQ(take_and_put(pool, 100'033).size(), 100'033u);
}

TEST(block_pool, what_is_in_front_belongs_to_the_block_and_all_goes_back) {
  sheaf_test::known_memory memory;
  constexpr std::size_t front = 24;
  {
    block_pool pool(4096, memory, {.smallest = 64, .front = front});
    std::vector<std::span<std::byte>> taken;
    for (std::size_t const bytes : {1u, 64u, 1000u, 4096u, 5000u}) {
      taken.push_back(pool.take(bytes));
      EXPECT_TRUE(memory.holds({taken.back().data() - front, front + taken.back().size()}));
      std::memset(taken.back().data() - front, 0x5a, front + taken.back().size());
    }
    for (std::span<std::byte> const block : taken) pool.put(block.data(), block.size());
  }
  EXPECT_EQ(memory.bytes(), 0u);
}

TEST(block_pool, a_block_given_back_is_taken_again) {
  heap_memory memory;
  block_pool pool(4096, memory, {.smallest = 64});
  EXPECT_TRUE(pool.empty());
  std::byte* const first = take_and_put(pool, 4000).data();
  EXPECT_FALSE(pool.empty());
  EXPECT_NE(take_and_put(pool, 2000).data(), first) << "it is of another size";
  EXPECT_EQ(take_and_put(pool, 4090).data(), first);
}

}  // namespace
}  // namespace sheaf::host
