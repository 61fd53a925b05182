// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What an idle fence and a barrier cost: exact numbers of messages and bytes.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "runtime/job.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"

namespace {

using sheaf::team;
using sheaf_test::setting;

constexpr std::size_t answers = static_cast<std::size_t>(sheaf::traffic::answer);
constexpr std::uint64_t calls = 10;

/// What the calls of `collective` add to a location's counts, once its first calls are over.
struct cost {
  std::uint64_t entries = 0, buffers = 0, bytes = 0, requests = 0;
};
template <class Collective>
cost cost_of(team const& world, Collective collective) {
  sheaf::endpoint& connection = world.here().connection();
  collective();
  auto const before = connection.counts();
  for (std::uint64_t i = 0; i < calls; ++i) collective();
  auto const after = connection.counts();
  return {after.inline_sent[answers] - before.inline_sent[answers],
          after.buffers_sent[answers] - before.buffers_sent[answers],
          after.bytes_sent[answers] - before.bytes_sent[answers],
          after.inline_sent[0] + after.buffers_sent[0] - before.inline_sent[0] - before.buffers_sent[0]};
}

TEST(fence_cost, dissemination_sends_one_inline_entry_a_round) {
  for (unsigned n = 1; n <= 17; ++n) {
    sheaf::options o = setting{sheaf::transport_kind::sim, n, sheaf::fence_form_kind::dissemination}.options();
    o.ring_slots = 64;  // credit comes back late, since nothing but fences gives the simulator an occasion
    sheaf_test::run_job(o, [&](team const& world) {
      auto const rounds = static_cast<std::uint64_t>(std::bit_width(n - 1));
      for (bool const fence : {true, false}) {
        cost const c = cost_of(world, [&] { fence ? rmi_fence(world) : barrier(world); });
        EXPECT_EQ(c.entries, rounds * calls) << n;
        // header, key, flags, one sum in the first round and two in the others
        EXPECT_EQ(c.bytes, rounds == 0 ? 0 : ((10 + 8 + 1 + 8) * rounds + 8 * (rounds - 1)) * calls) << n;
        EXPECT_EQ(c.buffers + c.requests, 0u) << n;
      }
    });
  }
}

TEST(fence_cost, a_tree_sends_one_entry_up_and_one_down_per_edge) {
  for (unsigned n = 1; n <= 17; ++n) {
    setting const s{sheaf::transport_kind::sim, n, sheaf::fence_form_kind::tree};
    sheaf_test::run_job(s.options(), [&](team const& world) {
      cost const c = cost_of(world, [&] { rmi_fence(world); });
      EXPECT_EQ(all_reduce(world, c.entries, std::plus<>()), 2 * (n - 1) * calls);
      EXPECT_EQ(c.buffers + c.requests, 0u) << n;
    });
  }
}

}  // namespace
