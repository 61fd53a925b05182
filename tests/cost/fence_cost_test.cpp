// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What an idle fence and a barrier cost: exact numbers of messages and bytes.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "runtime/grains.hpp"
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
  sheaf::endpoint& connection = here_of(world).connection();
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
        cost const c = cost_of(world, [&] { fence ? sheaf::fence(world) : barrier(world); });
        EXPECT_EQ(c.entries, rounds * calls) << n;
        // header, key, flags, one sum in the first round and two in the others
        EXPECT_EQ(c.bytes, rounds == 0 ? 0 : ((10 + 12 + 1 + 8) * rounds + 8 * (rounds - 1)) * calls) << n;
        EXPECT_EQ(c.buffers + c.requests, 0u) << n;
      }
    });
  }
}

/// A fence with a value sends no message that one without does not send.
TEST(fence_cost, a_value_rides_in_the_same_messages) {
  struct large {
    std::uint64_t parts[8];
  };
  auto const first = [](large const& a, large const&) { return a; };
  for (auto const form : {sheaf::fence_form_kind::dissemination, sheaf::fence_form_kind::tree}) {
    for (unsigned n = 1; n <= 17; ++n) {
      sheaf::options o = setting{sheaf::transport_kind::sim, n, form}.options();
      o.ring_slots = 64;
      sheaf_test::run_job(o, [&](team const& world) {
        cost const plain = cost_of(world, [&] { fence(world); });
        cost const eight = cost_of(world, [&] { fence(world, std::uint64_t{1}, std::plus<>()); });
        cost const most = cost_of(world, [&] { fence(world, large{}, first); });
        EXPECT_EQ(eight.entries, plain.entries) << n;
        EXPECT_EQ(eight.buffers + eight.requests, 0u) << n;
        EXPECT_EQ(most.entries + most.buffers, plain.entries) << n;
        EXPECT_EQ(eight.bytes - plain.bytes, (most.bytes - plain.bytes - 10 * most.buffers) / 8) << n;
      });
    }
  }
}

void compute(sheaf::detail::location& here, std::uint64_t ns) {
  std::uint64_t const until = here.connection().now() + ns;
  while (here.connection().now() < until) here.connection().idle(0, until);
}

/// How many waves the fence of two takes, begun when a request has come to rank 1 that this one has not looked for.
std::uint64_t waves_with_an_arrival(team const& world, sheaf_test::field& f) {
  constexpr std::uint64_t long_enough = 20'000'000;
  compute(here_of(world), long_enough);  // until rank 1 is out of its last operation, too
  if (world.rank() == 0) {
    f.send(1, {});
    sheaf::flush();
  }
  compute(here_of(world), 2 * long_enough);
  std::uint64_t const before = here_of(world).connection().counts().inline_sent[answers];
  fence(world);
  return here_of(world).connection().counts().inline_sent[answers] - before;
}

void run_a_request(sheaf_test::field& f) {
  if (f.members().rank() == 1) return sheaf::wait_for_request();
  f.send(1, {});
  sheaf::flush();
}

/// A member looks for arrivals before its first cut, unless nobody has done anything lately: else there is another
/// wave.
TEST(fence_cost, one_wave_is_enough_where_something_moved_before) {
  setting const s{sheaf::transport_kind::sim, 2, sheaf::fence_form_kind::dissemination};
  sheaf_test::run_job(s.options(), [](team const& world) {
    sheaf_test::field f(world);
    fence(world);
    run_a_request(f);
    fence(world);
    EXPECT_EQ(waves_with_an_arrival(world, f), 1u) << "the last fence has found that something had moved";
    for (int i = 0; i < 3; ++i) fence(world);
    run_a_request(f);
    EXPECT_EQ(waves_with_an_arrival(world, f), 1u) << "something has moved here since the last fence";
    fence(world);
  });
}

TEST(fence_cost, a_tree_sends_one_entry_up_and_one_down_per_edge) {
  for (unsigned n = 1; n <= 17; ++n) {
    setting const s{sheaf::transport_kind::sim, n, sheaf::fence_form_kind::tree};
    sheaf_test::run_job(s.options(), [&](team const& world) {
      cost const c = cost_of(world, [&] { fence(world); });
      EXPECT_EQ(all_reduce(world, c.entries, std::plus<>()), 2 * (n - 1) * calls);
      EXPECT_EQ(c.buffers + c.requests, 0u) << n;
    });
  }
}

}  // namespace
