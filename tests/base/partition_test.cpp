// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/partition.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

/// Each index has one owner, whose local numbers are 0…count−1 in ascending order.
template <class P>
void expect_partition(P const& map, std::uint64_t elements, std::uint64_t members) {
  std::vector<std::uint64_t> next(members);
  for (std::uint64_t i = 0; i < elements; ++i) {
    std::uint64_t const owner = map.owner(i);
    ASSERT_LT(owner, members);
    EXPECT_EQ(map.local(i), next[owner]++);
    EXPECT_EQ(map.index(owner, map.local(i)), i);
  }
  for (std::uint64_t rank = 0; rank < members; ++rank) EXPECT_EQ(map.count(rank), next[rank]) << rank;
}

TEST(partition, of_indices) {
  static_assert(sheaf::partition<sheaf::block_partition, std::uint64_t>);
  static_assert(!sheaf::partition<std::string, std::uint64_t>);
  for (std::uint64_t members : {1u, 2u, 3u, 7u}) {
    for (std::uint64_t elements : {0u, 1u, 6u, 7u, 8u, 100u}) {
      expect_partition(sheaf::block_partition(elements, members), elements, members);
      expect_partition(sheaf::cyclic_partition(elements, members), elements, members);
    }
  }
  for (std::uint64_t members : {1u, 2u, 3u, 7u}) {
    for (std::uint64_t elements : {0u, 1u, 6u, 7u, 8u, 100u}) {
      for (std::uint64_t block : {1u, 2u, 3u, 15u, 50u, 99u, 100u, 1000u}) {
        SCOPED_TRACE(block);
        expect_partition(sheaf::block_cyclic_partition(elements, members, block), elements, members);
      }
    }
  }
  expect_partition(sheaf::given_partition({0, 5, 5, 9}), 9, 3);
}

TEST(partition, by_hash_is_even_though_std_hash_of_a_number_is_that_number) {
  constexpr std::uint64_t members = 6, keys = 60'000;
  for (std::uint64_t const step : {1u, 6u, 4096u}) {
    sheaf::hash_partition<std::uint64_t> const map(members);
    std::vector<std::uint64_t> of(members);
    for (std::uint64_t i = 0; i < keys; ++i) ++of.at(map.owner(i * step));
    for (std::uint64_t const n : of) EXPECT_NEAR(static_cast<double>(n), keys / members, keys / members / 10.0) << step;
  }
}

}  // namespace
