// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Integers that move after each comparison: many objects, many locations, many moves, no fence until they are sorted.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/netsort_mobile.hpp"

namespace {

using sheaf_bench::netsort_work;

struct sorted {
  bool right = false;
  std::size_t most_entries = 0;  // of any member
};

sorted sort_in_simulator(netsort_work work, std::uint64_t seed, std::size_t most_called = 1024) {
  sheaf::options job;
  job.transport = sheaf::transport_kind::sim;
  job.locations = work.members;
  job.seed = work.seed = seed;
  sorted result;
  sheaf::run(job, [&](sheaf::team const& world) {
    sheaf_bench::netsort_places places(world, work, most_called);
    netsort_scatter(world, places);
    netsort_run(world, places);
    bool const right = netsort_is_sorted(world, places);
    auto const most = sheaf::all_reduce(world, places.entries(), [](auto a, auto b) { return std::max(a, b); });
    if (world.rank() == 0) result = {right, most};
  });
  return result;
}

TEST(netsort, any_number_of_integers_and_locations) {
  for (netsort_network const network : {netsort_transposition, netsort_batcher}) {
    for (std::uint32_t const members : {1u, 2u, 3u, 4u, 7u}) {
      for (std::uint32_t const size : {0u, 1u, members - 1, members, members + 1, 40u}) {
        auto const result = sort_in_simulator({network, size, 0, members}, members + size);
        EXPECT_TRUE(result.right) << size << " integers at " << members << ", network " << network;
      }
    }
  }
}

TEST(netsort, schedules) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    netsort_network const network = seed % 2 == 0 ? netsort_transposition : netsort_batcher;
    EXPECT_TRUE(sort_in_simulator({network, 24, 0, 5}, seed).right) << "seed " << seed;
  }
}

TEST(netsort, schedules_of_64_locations) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    netsort_network const network = seed % 4 == 0 ? netsort_transposition : netsort_batcher;
    EXPECT_TRUE(sort_in_simulator({network, 96, 0, 64}, seed).right) << "seed " << seed;
  }
}

/// Each member calls other places 350 times, and 700 leave it, nearly all of them different.
TEST(netsort, entries_stay_few) {
  auto const result = sort_in_simulator({netsort_batcher, 1000, 0, 150}, 1, 4);
  EXPECT_TRUE(result.right);
  EXPECT_LE(result.most_entries, 200u);
}

TEST(netsort, integers_at_4096_locations) { EXPECT_TRUE(sort_in_simulator({netsort_batcher, 256, 0, 4096}, 1).right); }

}  // namespace
