// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/block_pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace sheaf::net {
namespace {

TEST(net_block_pool, capacities_are_powers_of_two_up_to_the_largest) {
  block_pool pool(100'000);
  EXPECT_EQ(pool.take(1).capacity(), 64u);
  EXPECT_EQ(pool.take(65).capacity(), 128u);
  EXPECT_EQ(pool.take(65'537).capacity(), 100'000u);
  EXPECT_EQ(pool.take(100'000).capacity(), 100'000u);
  EXPECT_EQ(pool.take(100'001).capacity(), 100'001u);
}

TEST(net_block_pool, headroom_and_data_belong_to_the_block_and_are_aligned) {
  block_pool pool(4096);
  std::vector<buffer> taken;
  for (std::size_t const bytes : {1u, 64u, 1000u, 4096u, 5000u}) {
    buffer b = pool.take(bytes);
    std::memset(b.data() - block_pool::headroom, 0x5a, block_pool::headroom + b.capacity());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 64, 0u);
    taken.push_back(std::move(b));
  }
}

TEST(net_block_pool, a_block_given_back_is_taken_again) {
  block_pool pool(4096);
  std::byte* const first = pool.take(1000).data();
  EXPECT_EQ(pool.take(600).data(), first);
  buffer const held = pool.take(1000);
  EXPECT_NE(pool.take(1000).data(), held.data());
}

TEST(net_block_pool, keeps_no_more_than_its_limit) {
  block_pool pool(4096, 4096);
  std::byte* kept = nullptr;
  {
    buffer const a = pool.take(4096);
    buffer const b = pool.take(4096);
    kept = b.data();  // given back first
  }
  EXPECT_EQ(pool.take(4096).data(), kept);
}

}  // namespace
}  // namespace sheaf::net
