// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// `sheaf bench` in every shape: that it ends, checks its results and says what it compares; not how fast anything is.
#include "sheaf/bench_command.hpp"

#include <gtest/gtest.h>

#include "sheaf/bench_floors.hpp"
#include "sheaf/bench_time.hpp"
#include "tools/launchers.hpp"
#include "tools/shell.hpp"

namespace {

using namespace sheaf::test;
using sheaf::tool::each_over;
using sheaf::tool::median;
using sheaf::tool::next_run;
using sheaf::tool::paced_samples;
using sheaf::tool::sample;
using sheaf::tool::spread;

TEST(bench_time, medians_and_quartiles) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(spread({1, 2, 3, 4, 5}), 100 * (4 - 2) / 3.0);
  EXPECT_EQ(spread({5}), 0);
  EXPECT_EQ(each_over({2, 4}, 8), (std::vector<double>{4, 2}));
  int calls = 0;
  EXPECT_EQ(sample(3, 5, [&] { ++calls; }).size(), 3u);
  EXPECT_EQ(calls, 15);
}

TEST(bench_time, the_next_run_takes_five_milliseconds_at_the_pace_of_the_last) {
  EXPECT_EQ(next_run(1000, 10e6), 500u);
  EXPECT_EQ(next_run(1000, 4e6), 1250u);
  EXPECT_EQ(next_run(20, 20), 40u) << "at most twice as many";
  EXPECT_EQ(next_run(1000, 1e12), 1u) << "one at least";
}

TEST(bench_time, all_who_take_part_run_what_they_agree_on) {
  std::vector<std::uint64_t> wanted, runs;
  auto const first_proposes = [&](std::uint64_t mine) {
    wanted.push_back(mine);
    return std::uint64_t{wanted.size() % 4 == 0 ? 0u : 7u};
  };
  EXPECT_EQ(paced_samples(2, 20, first_proposes, [&](std::uint64_t n) { runs.push_back(n); }).size(), 2u);
  EXPECT_EQ(wanted.front(), 20u);
  EXPECT_EQ(runs, std::vector<std::uint64_t>(9, 7)) << "three in each sample, and in the one that does not count";
}

TEST(bench_floors, threads_have_a_ping_pong_of_atomics) {
  sheaf::options job;
  job.transport = sheaf::transport_kind::thread;
  auto const floors = sheaf::tool::measure_floors(job, 2, 1 << 16);
  EXPECT_STREQ(floors.ping_pong, "atomics");
  for (auto const* each : {&floors.ping_pong_ns, &floors.copy_gb, &floors.increments_m}) {
    ASSERT_EQ(each->size(), 2u);
    EXPECT_GT(median(*each), 0);
  }
}

void expect_complete(shell_result const& result, std::string const& transport, std::string const& ping_pong) {
  SCOPED_TRACE(transport + ", " + ping_pong);
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_TRUE(result.says("transport  " + transport)) << result.text;
  for (char const* each : {"blocking request of 8 bytes", "requests of 8 bytes", "requests of 64 KiB", "idle fence"}) {
    EXPECT_TRUE(result.says(each)) << each;
  }
  EXPECT_TRUE(result.says("ping-pong of " + ping_pong)) << result.text;
}

TEST(bench_command, measures_threads_by_itself) {
  expect_complete(sheaf_tool("bench", "SHEAF_LOCATIONS=2"), "thread", "atomics");
}

TEST(bench_command, measures_the_job_that_it_is_started_in) {
  std::string const bench = " " SHEAF_TOOL_PATH " bench";
  for (std::string const& mpi : mpis()) {
    SCOPED_TRACE(mpi);
    expect_complete(sheaf_tool("run -n 2 --mpi " + mpi + bench), "mpi", "MPI messages");
    if (mpi == "openmpi") expect_complete(sheaf_tool("run -n 4 -t 2 --mpi " + mpi + bench), "hybrid", "MPI messages");
  }
}

TEST(bench_command, the_simulator_is_refused) {
  shell_result const result = sheaf_tool("bench", "SHEAF_TRANSPORT=sim");
  EXPECT_EQ(result.text, "sheaf bench: the simulator has no time of its own to measure\n");
  EXPECT_EQ(result.code, 2);
}

}  // namespace
