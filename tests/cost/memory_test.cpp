// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Bytes per location follow the formula of docs/internals/memory.md.
#include <gtest/gtest.h>

#include <unistd.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "cost/new_counter.hpp"
#include "runtime/job.hpp"
#include "sheaf/message/outbox.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/transport/simulator.hpp"

namespace {

using sheaf::team;

/// The job's bytes once every location has passed a fence and stands in a barrier: all but stacks and simulator.
class measured final : public sheaf::location_body {
 public:
  explicit measured(sheaf::options const& job) : job_(job) {}
  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](team const& world) {
      fence(world);
      barrier(world);
      if (world.rank() == 0) in_job = sheaf_test::bytes_in_use();
      barrier(world);
    });
  }
  std::int64_t in_job = 0;

 private:
  sheaf::options job_;
};

/// Bytes per location of a job of n, without what the simulator itself holds.
double bytes_per_location(unsigned n) {
  sheaf::simulation s;
  s.job.transport = sheaf::transport_kind::sim;
  s.job.locations = n;
  s.job.fence_form = sheaf::fence_form_kind::dissemination;
  s.job = s.job.resolved();
  sheaf::simulator sim(s);
  measured first(s.job);  // leaves the simulator with all that it will need
  sheaf::random_schedule once(1);
  EXPECT_EQ(sim.run(once, first).text, "");
  std::int64_t const before = sheaf_test::bytes_in_use();
  measured body(s.job);
  sheaf::random_schedule again(1);
  EXPECT_EQ(sim.run(again, body).text, "");
  return static_cast<double>(body.in_job - before) / n;
}

/// Of each location that it had to do with, a location keeps an outbox for each class that it sent, counts, and a part
/// of two hash tables, at most a quarter of which is taken after they have grown. A fence of n has ceil(log2 n) peers,
/// to which it sends, and as many of which it hears.
constexpr std::size_t per_peer =
    2 * (sizeof(sheaf::detail::outbox) + sizeof(sheaf::detail::link_counts)) + 4 * 4 * 2 * sizeof(void*);

TEST(memory, of_a_location_grows_with_its_peers_and_not_with_the_job) {
  static_assert(per_peer == 608);
  static_assert(sizeof(sheaf::detail::location) <= 816, "it stands on its own thread's stack");
  for (unsigned const n : {16u, 64u, 256u, 1024u, 4096u}) {
    double const peers = std::bit_width(n - 1);
    double const rest = bytes_per_location(n) - static_cast<double>(per_peer) * peers;
    std::printf("%u locations: %zu * %.0f + %.0f bytes each\n", n, per_peer, peers, rest);
    EXPECT_LE(rest, 2472.0);
  }
}

TEST(memory, of_the_simulator_grows_with_the_pairs_that_talk) {
  for (unsigned const n : {256u, 1024u, 4096u}) {
    sheaf::simulation s;
    s.job.transport = sheaf::transport_kind::sim;
    s.job.locations = n;
    s.job = s.job.resolved();
    std::int64_t const before = sheaf_test::bytes_in_use();
    sheaf::simulator sim(s);
    measured body(s.job);
    sheaf::random_schedule decisions(1);
    EXPECT_EQ(sim.run(decisions, body).text, "");
    auto const held = static_cast<double>(sheaf_test::bytes_in_use() - before);
    double const links = std::bit_width(n - 1);
    std::printf("%u locations: %.0f bytes each in the simulator, of %.0f links\n", n, held / n, links);
    EXPECT_LE(held / n, 600.0 + 700.0 * links);
  }
}

/// Bytes of this process in memory.
double resident() {
  std::size_t total = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> total >> pages;
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

struct sink : sheaf::distributed<sink> {
  explicit sink(sheaf::team const& on) : distributed(on) {}
  std::uint64_t sum = 0;
  void add(std::uint64_t value) { sum += value; }
};

/// Each location sends to 16 others. What all of them hold then, in the heap and in all.
class talking final : public sheaf::location_body {
 public:
  static constexpr std::uint32_t fan = 16;

  explicit talking(sheaf::options const& job) : job_(job) {}
  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](team const& world) {
      sink all(world);
      for (std::uint32_t i = 0; i < fan; ++i) all.async<&sink::add>((world.rank() + 37 * i + 1) % world.size(), 1u);
      fence(world);
      if (all.sum != fan) lost = true;
      barrier(world);
      if (world.rank() == 0) heap = static_cast<double>(sheaf_test::bytes_in_use()), memory = resident();
      barrier(world);
    });
  }
  double heap = 0;
  double memory = 0;
  bool lost = false;

 private:
  sheaf::options job_;
};

/// 65,536 such locations fit into 24 GiB, the simulator and the pages of their stacks included: CONTRIBUTING.md has the
/// command.
TEST(memory, of_many_locations_that_talk_to_16_each) {
  char const* const asked = std::getenv("SHEAF_TEST_LOCATIONS");
  auto const n = static_cast<unsigned>(asked != nullptr ? std::atoi(asked) : 8192);
  sheaf::simulation s;
  s.job.transport = sheaf::transport_kind::sim;
  s.job.locations = n;
  s.job.path = sheaf::route_kind::direct;
  s.job = s.job.resolved();
  double const heap = static_cast<double>(sheaf_test::bytes_in_use()), memory = resident();
  sheaf::simulator sim(s);
  talking body(s.job);
  sheaf::random_schedule decisions(1);
  EXPECT_EQ(sim.run(decisions, body).text, "");
  EXPECT_FALSE(body.lost);
  double const heap_each = (body.heap - heap) / n, all_each = (body.memory - memory) / n;
  std::printf("%u locations: %.0f bytes of heap each, %.0f in all; together %.2f GiB\n", n, heap_each, all_each,
              (body.memory - memory) / (1 << 30));
  double const peers = std::bit_width(n - 1) + talking::fan;
  EXPECT_LE(heap_each, 3000.0 + (static_cast<double>(per_peer) + 700.0) * peers);  // the simulator's part, too
  EXPECT_LE(all_each, 24.0 * (1 << 30) / 65536);
}

}  // namespace
