// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Bytes per location follow the formula of docs/internals/memory.md.
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>

#include "cost/new_counter.hpp"
#include "runtime/job.hpp"
#include "sheaf/message/counts.hpp"
#include "sheaf/message/outbox.hpp"
#include "sheaf/transport/simulator.hpp"

namespace {

using sheaf::team;

/// The job's bytes once every location has passed a fence and stands in a barrier: all but stacks and simulator.
class measured final : public sheaf::location_body {
 public:
  explicit measured(sheaf::options const& job) : job_(job) {}
  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](team const& world) {
      rmi_fence(world);
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
  static_assert(sizeof(sheaf::location) <= 816, "it stands on its own thread's stack");
  for (unsigned const n : {16u, 64u, 256u, 1024u, 4096u}) {
    double const peers = std::bit_width(n - 1);
    double const rest = bytes_per_location(n) - static_cast<double>(per_peer) * peers;
    std::printf("%u locations: %zu * %.0f + %.0f bytes each\n", n, per_peer, peers, rest);
    EXPECT_LE(rest, 2400.0);
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

}  // namespace
