// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What random messages of thousands of locations cost by each path, in the timed simulator. With 65,536 locations:
//   SHEAF_TEST_LOCATIONS=65536 SHEAF_TEST_MESSAGES=1024 test_cost --gtest_filter='routing_cost*'
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "message/router.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/sheaf.hpp"
#include "sheaf/transport/simulator.hpp"

namespace {

using sheaf::route;
using sheaf::route_kind;

std::uint32_t variable_or(char const* name, std::uint32_t otherwise) {
  char const* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::uint32_t>(std::atoi(text));
}
std::uint32_t const locations = variable_or("SHEAF_TEST_LOCATIONS", 4096);
std::uint32_t const all_messages = variable_or("SHEAF_TEST_MESSAGES", 256);  // of each location
constexpr std::uint32_t per_host = 64;

struct outcome {
  double per_entry = 0;            ///< messages
  std::uint64_t open_buffers = 0;  ///< at most, of a location
};

outcome play(route_kind path, std::uint32_t messages) {
  std::uint64_t handled = 0, entries = 0, open = 0;
  sheaf::options job;
  job.transport = sheaf::transport_kind::sim;
  job.timed = true;
  job.locations = locations;
  job.hosts = locations / per_host;
  job.path = path;
  job.stack_bytes = std::size_t{32} << 10;
  job.buffer_budget = std::size_t{1} << 40;  // else direct sending would need it
  sheaf::run(job, [&](sheaf::team world) {
    sheaf::message_type<std::uint32_t, sheaf::unordered> type(world, [&](std::uint32_t) { ++handled; });
    std::uint64_t random = world.rank() + 1;
    sheaf::epoch(world, [&] {
      for (std::uint32_t i = 0; i < messages; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        type.send((random >> 33) % locations, i);
      }
    });
    auto const& counts = here_of(world).connection().counts();
    for (auto const kind : sheaf::request_classes()) {
      auto const k = static_cast<std::size_t>(kind);
      entries += counts.buffers_sent[k] + counts.inline_sent[k];
    }
    open = std::max(open, here_of(world).out().counts.most.open_buffers);
  });
  EXPECT_EQ(handled, std::uint64_t{locations} * messages);
  return {static_cast<double>(handled) / static_cast<double>(entries), open};
}

/// Straight, m messages to random ones of n locations are in about as many packets. By a grid of c columns a location
/// sends to c − 1 others at each of two hops: so each packet has m / 2(c − 1), if none leaves early.
TEST(routing_cost, of_random_messages_in_packets_and_buffers) {
  std::uint32_t const messages = all_messages;
  outcome const straight = play(route_kind::direct, messages), grid = play(route_kind::grid, messages);
  EXPECT_LT(straight.per_entry, 1.1);
  std::uint32_t const links = route(route_kind::grid, locations, per_host).neighbours();
  double const formula = static_cast<double>(messages) / links;
  EXPECT_GT(grid.per_entry, formula / 2);
  EXPECT_LT(grid.per_entry, formula * 1.2);
  EXPECT_GT(straight.open_buffers, messages * 3 / 4);
  EXPECT_LE(grid.open_buffers, 2 * links) << "first hops, last hops, and those of one hop";
}

TEST(routing_cost, of_the_other_paths_in_buffers) {
  for (route_kind const kind : {route_kind::node_wise, route_kind::hypercube, route_kind::dissemination}) {
    outcome const of = play(kind, all_messages / 4);
    EXPECT_LE(of.open_buffers, 2 * route(kind, locations, per_host).neighbours()) << name(kind);
  }
}

/// Records that locations passed on, where each sent to the other members of a team of `members`.
std::uint64_t passed_on_in_a_team_of(std::uint32_t members, bool unordered, route_kind path) {
  sheaf::options job;
  job.transport = sheaf::transport_kind::sim;
  job.locations = 320;
  job.path = path;
  job.buffer_budget = std::size_t{320} << 13U;  // 8 KiB for each location: 256 bytes for each of 32
  std::uint64_t passed_on = 0, handled = 0;
  sheaf::run(job, [&](sheaf::team world) {
    sheaf::team const part = world.split(world.rank() % (world.size() / members));
    auto const send_to_all = [&](auto&& type) {
      sheaf::epoch(part, [&] {
        for (std::uint32_t i = 0; i < part.size(); ++i) type.send(i, i);
      });
    };
    auto const handler = [&](std::uint32_t) { ++handled; };
    unordered ? send_to_all(sheaf::message_type<std::uint32_t, sheaf::unordered>(part, handler))
              : send_to_all(sheaf::message_type<std::uint32_t>(part, handler));
    passed_on += here_of(world).out().routes.passed_on;
  });
  EXPECT_EQ(handled, 320 * members);
  return passed_on;
}

TEST(routing_cost, of_types_with_buffers_of_their_own_on_a_small_team_is_none) {
  EXPECT_EQ(passed_on_in_a_team_of(32, true, route_kind::automatic), 0u);
  EXPECT_GT(passed_on_in_a_team_of(160, true, route_kind::automatic), 0u) << "its buffers would not fit";
  EXPECT_GT(passed_on_in_a_team_of(32, false, route_kind::automatic), 0u) << "it keeps order with other requests";
  EXPECT_GT(passed_on_in_a_team_of(32, true, route_kind::grid), 0u) << "the program says so";
}

}  // namespace
