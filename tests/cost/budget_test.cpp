// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What is open at a time stays within a location's share of the budget, and what that costs in buffers.
#include <algorithm>
#include <atomic>
#include <thread>

#include "base/insight.hpp"
#include "cost/new_counter.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/statistics.hpp"

namespace {

using sheaf::flush_reason;
using sheaf::team;

struct tally : sheaf::distributed<tally> {
  explicit tally(sheaf::team const& t) : distributed(t), got(t.size()) {}
  std::vector<std::uint64_t> got;  ///< requests of each location, which come in order
  void take(std::uint32_t from, std::uint64_t number) { got[from] += got[from] == number ? 1 : 1'000'000; }
};

constexpr std::size_t block = 4096;
constexpr unsigned locations = 8, rounds = 20;

/// No pair ever waits for credit; a location may fill so many buffers at a time.
sheaf::options job_of(sheaf::transport_kind transport, std::size_t buffers) {
  sheaf::options o;
  o.transport = transport;
  o.locations = locations;
  o.buffer_bytes = o.first_flush_bytes = block;
  o.ring_slots = o.window = 2 * rounds;
  o.buffer_budget = locations * buffers * block;
  return o;
}

/// Each sends one request to each in turn, and none is under way when the next turn begins. Returns what all have
/// counted.
sheaf::statistics play(sheaf::options const& job) {
  sheaf::statistics all;
  sheaf::run(job, [&](team const& world) {
    tally t(world);
    fence(world);
    for (std::uint64_t round = 0; round < rounds; ++round) {
      for (std::uint32_t to = 0; to < world.size(); ++to) t.async<&tally::take>(to, world.rank(), round);
      fence(world);
    }
    EXPECT_EQ(t.got, std::vector<std::uint64_t>(world.size(), rounds));
    EXPECT_EQ(here_of(world).out().reserve_used(), 0u);
    sheaf::statistics const sum = sheaf::total_statistics(world);
    if (world.rank() == 0) all = sum;
  });
  return all;
}

class budget : public testing::TestWithParam<sheaf::transport_kind> {};

TEST_P(budget, bounds_what_is_open_at_a_time) {
  for (std::size_t const buffers : {1u, 2u, 3u, 5u}) {
    auto const s = play(job_of(GetParam(), buffers));
    if (!sheaf::detail::insight) continue;
    EXPECT_LE(s.most.open_bytes, buffers * block);
    EXPECT_LE(s.most.open_buffers, buffers);
    EXPECT_GT(s.flushed(flush_reason::budget), locations * rounds) << "nearly each request finds no buffer of its own";
  }
}

TEST_P(budget, that_suffices_sends_nothing_early) {
  auto const s = play(job_of(GetParam(), 2 * locations));
  EXPECT_EQ(s.flushed(flush_reason::budget), 0u);
  auto o = job_of(GetParam(), 1);
  o.buffer_budget = 0;  // the default
  EXPECT_EQ(play(o).flushed(flush_reason::budget), 0u);
}

/// All flood one location, which takes nothing for as long as any of them can send.
TEST_P(budget, bounds_what_a_flood_takes) {
  sheaf::options o = job_of(GetParam(), 16);
  o.ring_slots = o.window = 256;
  constexpr std::uint64_t each = 200'000;
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::int64_t> most{0};
  sheaf::run(o, [&](team const& world) {
    tally t(world);
    t.async<&tally::take>(0, world.rank(), 0);
    fence(world);
    std::int64_t const before = sheaf_test::bytes_in_use();
    for (std::uint64_t i = 1; i < each && world.rank() != 0; ++i) {
      t.async<&tally::take>(0, world.rank(), i);
      ++sent;
      if (i % 100 == 0) most = std::max<std::int64_t>(most, sheaf_test::bytes_in_use() - before);
    }
    if (world.rank() == 0 && GetParam() == sheaf::transport_kind::thread) {
      std::uint64_t seen = 0;
      for (int unchanged = 0; unchanged < 1000; ++unchanged, std::this_thread::yield()) {
        if (seen != sent) seen = sent, unchanged = 0;
      }
    }
    fence(world);
    for (std::uint32_t i = 0; i < locations; ++i) EXPECT_EQ(t.got[i], world.rank() != 0 ? 0 : i == 0 ? 1 : each);
  });
  auto const budget = static_cast<std::int64_t>(o.buffer_budget);
  EXPECT_LE(most, 2 * budget) << "what is open, and what is in flight";
  EXPECT_GT(most, budget / 4) << "it was a flood";
}

/// A program that asks one location again and again, and sends to another one that takes nothing, in between.
TEST(open_buffers, behind_one_that_waits_for_credit_stay_open_in_waits) {
  sheaf::options o = job_of(sheaf::transport_kind::thread, 100);
  o.locations = 3;
  o.ring_slots = o.window = 2;
  std::atomic<bool> asked{false};
  sheaf::run(o, [&](team const& world) {
    tally t(world);
    fence(world);
    if (world.rank() == 0) {
      for (std::uint64_t i = 0; i < 100; ++i) {
        t.async<&tally::take>(2, 0u, i);
        t.sync<&tally::take>(1, 0u, i);
      }
      EXPECT_LE(here_of(world).out().reserve_used(), block) << "one, and not one for each wait";
      asked = true;
    }
    while (world.rank() == 2 && !asked) std::this_thread::yield();  // computes
    fence(world);
    EXPECT_EQ(t.got[0], world.rank() == 0 ? 0u : 100u);
  });
}

INSTANTIATE_TEST_SUITE_P(over, budget, testing::Values(sheaf::transport_kind::thread, sheaf::transport_kind::sim),
                         [](auto const& i) { return std::string(sheaf::name(i.param)); });

}  // namespace
