// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Random programs with a watchdog that looks all the time: it must blame none of them.
#include "runtime/collective.hpp"
#include "runtime/job.hpp"
#include "simulation/rmi_player.hpp"

namespace {

using sheaf_test::dice;
using sheaf_test::rmi_body;
using sheaf_test::run_seeds;

constexpr std::uint64_t kinds = 64;

sheaf::options watched(std::uint64_t kind, bool tight) {
  dice random(kind + 5);
  sheaf::options o;
  o.locations = 1 + static_cast<unsigned>(random.below(5));
  o.ring_slots = o.window = tight ? 1 : random.pick({1u, 2u, 16u});
  o.buffer_bytes = tight ? 128 : random.pick({std::size_t{128}, std::size_t{1024}});
  o.first_flush_bytes = random.pick({std::size_t{1}, std::size_t{100}});
  o.reserve_bytes = tight ? 1 : std::size_t{1} << 20;
  o.nesting_limit = random.pick({1u, 4u, 12u});
  o.poll_every = random.pick({1u, 3u, 256u});
  o.fence_form = random.pick({sheaf::fence_form_kind::tree, sheaf::fence_form_kind::dissemination});
  o.watchdog_ms = 1 + static_cast<unsigned>(random.below(2));
  return o;
}

TEST(watchdog_seeds, no_healthy_program_is_blamed) {
  run_seeds(
      "watchdog_seeds.no_healthy_program_is_blamed", 12000, kinds, [](auto k) { return watched(k, false); },
      [](auto const& job, std::uint64_t seed) { return rmi_body(job, {}, seed); });
}

TEST(watchdog_seeds, nor_one_with_every_ring_and_cap_at_1) {
  run_seeds(
      "watchdog_seeds.nor_one_with_every_ring_and_cap_at_1", 12000, kinds, [](auto k) { return watched(k, true); },
      [](auto const& job, std::uint64_t seed) { return rmi_body(job, {}, seed); });
}

/// One location waits while the others poll: without looks the tests above would say nothing.
TEST(watchdog_seeds, looks_are_taken_while_others_work) {
  std::uint64_t looks = 0;
  sheaf::options o = watched(1, false);
  o.transport = sheaf::transport_kind::sim;
  o.locations = 3;
  for (o.seed = 1; o.seed <= 20; ++o.seed) {
    sheaf_test::run_job(o.resolved(), [&](sheaf::team const& world) {
      sheaf::endpoint& net = here_of(world).connection();
      for (int round = 0; round < 50; ++round) {
        std::uint64_t const until = net.now() + 5'000;
        while (world.rank() != 0 && net.now() < until) sheaf::poll();
        sheaf::barrier(world);
      }
      if (world.rank() == 0) looks += sheaf::detail::collectives_of(here_of(world)).stall.looks();
    });
  }
  EXPECT_GT(looks, 20u);
}

}  // namespace
