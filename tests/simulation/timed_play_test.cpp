// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The library in timed plays: what takes long takes as long as it must, and the same in each run.
#include <gtest/gtest.h>

#include <vector>

#include "runtime/job.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/transport/simulator.hpp"

namespace {

using sheaf::charge;
using sheaf::endpoint;
using sheaf::simulation;
using sheaf::simulation_result;
using sheaf::team;

using timed_program = std::function<void(team const&, endpoint&)>;

class in_a_timed_play final : public sheaf::location_body {
 public:
  in_a_timed_play(sheaf::options const& job, timed_program f) : job_(job), f_(std::move(f)) {}
  void run(endpoint& connection) override {
    sheaf_test::play(connection, job_, [&](team const& world) { f_(world, connection); });
  }

 private:
  sheaf::options job_;
  timed_program f_;
};

simulation_result play_timed(unsigned locations, timed_program f) {
  simulation s;
  s.job.transport = sheaf::transport_kind::sim;
  s.job.locations = locations;
  s.job = s.job.resolved();
  s.order = sheaf::play::timed;
  in_a_timed_play body(s.job, std::move(f));
  sheaf::random_schedule unused(1);
  simulation_result r = simulate(s, unused, body);
  EXPECT_EQ(r.text, "");
  return r;
}

constexpr std::uint64_t millisecond = 1'000'000;

struct worker : sheaf::distributed<worker> {
  explicit worker(team const& on) : distributed(on) {}
  std::uint64_t calls = 0;
  std::uint64_t work(std::uint64_t ns) {
    charge(ns);
    return ++calls;
  }
};

TEST(timed_play, a_fence_returns_after_the_slowest_and_soon) {
  for (unsigned const n : {2u, 7u, 64u}) {
    simulation_result const r = play_timed(n, [](team const& world, endpoint& at) {
      if (world.rank() == 1) charge(millisecond);
      fence(world);
      EXPECT_GT(at.now(), millisecond);
    });
    EXPECT_LT(r.virtual_ns, millisecond + 200'000);
  }
}

TEST(timed_play, a_blocking_call_takes_a_round_trip_and_its_work) {
  constexpr sheaf::loggp costs{};
  std::uint64_t taken = 0;
  play_timed(2, [&](team const& world, endpoint& at) {
    worker all(world);
    fence(world);
    std::uint64_t const before = at.now();
    if (world.rank() == 0) {
      EXPECT_EQ(all.sync<&worker::work>(1u, millisecond), 1u);
      taken = at.now() - before;
    }
    fence(world);
  });
  std::uint64_t const least = 2 * (2 * costs.overhead_ns + costs.latency_ns) + millisecond;
  EXPECT_GE(taken, least);
  EXPECT_LT(taken, least + 500);
}

TEST(timed_play, requests_of_all_to_one_take_the_sum_of_their_work) {
  constexpr unsigned n = 32;
  auto const all_to_one = [](team const& world, endpoint& at) {
    worker all(world);
    for (int i = 0; i < 10; ++i) all.async<&worker::work>(0u, 10'000u);
    fence(world);
    EXPECT_GE(at.now(), n * 10 * 10'000u);
    EXPECT_EQ(all.calls, world.rank() == 0 ? n * 10u : 0u);
  };
  simulation_result const first = play_timed(n, all_to_one), second = play_timed(n, all_to_one);
  EXPECT_LT(first.virtual_ns, n * 10 * 10'000u + 200'000);
  EXPECT_EQ(first.trace, second.trace);
  EXPECT_EQ(first.virtual_ns, second.virtual_ns);
}

}  // namespace
