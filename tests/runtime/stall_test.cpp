// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "runtime/grains.hpp"
#include "runtime/job.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"

namespace {

using sheaf::team;
using sheaf_test::field;
using sheaf_test::run_job;

/// Caps so small that handlers hold back more than they may at once.
sheaf::options tight(sheaf::transport_kind transport, unsigned locations) {
  sheaf::options o;
  o.transport = transport;
  o.locations = locations;
  o.ring_slots = o.window = 1;
  o.buffer_bytes = 128;
  o.reserve_bytes = 128;
  return o.resolved();
}

/// All locations send what makes the others' handlers send more. Returns how often caps were raised.
std::uint64_t raises_of_a_flood(sheaf::options const& o) {
  std::atomic<std::uint64_t> raises{0};
  run_job(o, [&](team const& world) {
    field f(world);
    for (std::uint32_t to = 0; to < world.size(); ++to) f.send(to, {.depth = 5, .fan = 4, .seed = to});
    fence(world);
    EXPECT_EQ(all_reduce(world, f.finished, std::plus<>()), world.size() * world.size() * 1365u);
    raises += here_of(world).out().held.raises;
  });
  return raises;
}

TEST(stall, a_flood_gets_through_and_raises_the_caps) {
  for (unsigned const n : {1u, 2u, 3u, 7u}) {
    EXPECT_GT(raises_of_a_flood(tight(sheaf::transport_kind::sim, n)), 0u) << n;
    EXPECT_GE(raises_of_a_flood(tight(sheaf::transport_kind::thread, n)), 0u) << n;
  }
}

/// What a job of so many locations writes to standard error when each sends what makes methods send more, all to itself
/// or to anybody.
std::string said_in_a_flood(unsigned locations, bool to_oneself) {
  testing::internal::CaptureStderr();
  std::atomic<std::uint64_t> raises{0};
  run_job(tight(sheaf::transport_kind::sim, locations), [&](team const& world) {
    std::optional<team> const alone = world.subteam({world.rank()});
    field f(to_oneself ? *alone : world);
    for (std::uint32_t i = 0; i < 3; ++i) f.send(0, {.depth = 5, .fan = 4, .seed = i});
    fence(world);
    raises += here_of(world).out().held.raises;
  });
  EXPECT_GT(raises.load(), 0u);
  return testing::internal::GetCapturedStderr();
}

TEST(stall, a_location_that_floods_itself_is_not_warned) {
  EXPECT_EQ(said_in_a_flood(1, true), "");
  EXPECT_EQ(said_in_a_flood(1, false), "");
  EXPECT_EQ(said_in_a_flood(3, true), "");
  EXPECT_NE(said_in_a_flood(3, false).find("all locations wait, and location "), std::string::npos);
}

TEST(stall, every_seed_gets_through) {
  sheaf::options o = tight(sheaf::transport_kind::sim, 3);
  for (o.seed = 1; o.seed <= 50; ++o.seed) EXPECT_GT(raises_of_a_flood(o), 0u);
}

TEST(stall, nothing_is_raised_where_the_default_reserve_is_enough) {
  sheaf::options o = tight(sheaf::transport_kind::sim, 3);
  o.reserve_bytes = 0;
  EXPECT_EQ(raises_of_a_flood(o.resolved()), 0u);
}

TEST(stall, nothing_is_raised_while_a_location_computes) {
  run_job(tight(sheaf::transport_kind::sim, 2), [](team const& world) {
    sheaf::detail::location& here = here_of(world);
    field f(world);
    fence(world);
    if (world.rank() == 0) {
      for (std::uint64_t i = 0; i < 8; ++i) f.send(0, {.depth = 4, .fan = 4, .seed = i});
      here.wait(sheaf::detail::wait_kind::collective, [&] { return here.in().stopped(); });
      std::uint64_t const until = here.connection().now() + 20'000'000;
      here.wait(sheaf::detail::wait_kind::collective, [&] { return here.connection().now() >= until; });
      EXPECT_TRUE(here.in().stopped());
      EXPECT_EQ(here.out().held.raises, 0u);
    } else {
      std::uint64_t const until = here.connection().now() + 40'000'000;
      while (here.connection().now() < until) here.connection().idle(0, until);
    }
    fence(world);
    EXPECT_EQ(all_reduce(world, f.finished, std::plus<>()), 8u * 341u);
  });
}

}  // namespace
