// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Static netsort over DMCS, the benchmark's (DMCS, section 7), with as many processes as the simulator has.
#include <dmcs.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/netsort_static.h"
#include "process.hpp"
#include "sheaf/runtime/run.hpp"
#include "simulation/seeds.hpp"

static std::vector<std::unique_ptr<netsort>> parts;  // by location

static netsort& mine() { return *parts[static_cast<std::size_t>(dmcs_my_proc())]; }

static void take(int, dmcs_arg_t position, dmcs_arg_t step, dmcs_arg_t value) {
  value_came(&mine(), static_cast<int32_t>(position), static_cast<int32_t>(step), static_cast<int32_t>(value));
  go_on_with_due(&mine());
}
static void send_value(netsort*, int owner, int32_t position, int32_t step, int32_t value) {
  dmcs_async_rsr3(owner, take, position, step, value);
}

namespace {

/// By a loop of polls, or by a fence, which polls: in the simulator loops of polls of many take much time.
enum class by { polls, fence };
void sort_here(sheaf::team const& world, std::int32_t count, std::uint64_t seed, by how) {
  sheaf_dmcs::session const dmcs(world);
  dmcs_register3(take);
  auto& all = *(parts[world.rank()] = std::make_unique<netsort>(
                    make_netsort(static_cast<int>(world.rank()), static_cast<int>(world.size()), count)));
  shuffle(&all, seed);
  dmcs_fence();
  begin(&all);
  while (how == by::polls && all.left > 0) dmcs_poll();
  dmcs_fence();
}

/// The integers in the order of their positions, each from its owner.
std::vector<std::int32_t> sorted_in_simulator(unsigned locations, std::int32_t count, std::uint64_t seed, by how,
                                              sheaf::options job = {}) {
  parts.clear();
  parts.resize(locations);
  job.transport = sheaf::transport_kind::sim;
  job.locations = locations;
  job.seed = seed;
  sheaf::run(job, [&](sheaf::team const& world) { sort_here(world, count, seed, how); });
  std::vector<std::int32_t> values;
  for (std::int32_t i = 0; i < count; ++i) {
    auto const owner = static_cast<std::size_t>(parts.front()->owner[i]);
    values.push_back(parts.at(owner)->value[i]);
  }
  for (auto& one : parts) free_netsort(one.get());
  return values;
}
std::vector<std::int32_t> expected(std::int32_t count, std::uint64_t seed) {
  std::vector<std::int32_t> values;
  for (std::int32_t i = 0; i < count; ++i) values.push_back(netsort_value(seed, static_cast<std::uint32_t>(i)));
  std::sort(values.begin(), values.end());
  return values;
}

TEST(dmcs_netsort, any_number_of_integers_and_processes) {
  for (unsigned const locations : {1u, 2u, 3u, 4u, 7u}) {
    for (std::int32_t const count : {0, 1, static_cast<int>(locations) - 1, static_cast<int>(locations) + 1, 30}) {
      EXPECT_EQ(sorted_in_simulator(locations, count, locations, by::polls), expected(count, locations))
          << count << " integers of " << locations << " processes";
    }
  }
}

/// Small buffers, and few of them.
TEST(dmcs_netsort, schedules) {
  for (std::uint64_t seed = 1; seed <= sheaf_test::at_least(100); ++seed) {
    sheaf_test::dice random(seed);
    sheaf::options job;
    sheaf_test::tighten(job, random);
    job.reserve_bytes = sheaf::options().reserve_bytes;
    auto const how = seed % 25 == 0 ? by::polls : by::fence;
    EXPECT_EQ(sorted_in_simulator(5, 30, seed, how, job), expected(30, seed)) << "seed " << seed;
  }
}

TEST(dmcs_netsort, many_processes) {
  for (unsigned const locations : {64u, 512u, 4096u}) {
    std::int32_t const count = locations < 4096 ? 100 : 64;
    EXPECT_EQ(sorted_in_simulator(locations, count, locations, by::fence), expected(count, locations))
        << locations << " processes";
  }
}

}  // namespace
