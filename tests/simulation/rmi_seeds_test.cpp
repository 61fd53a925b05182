// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Random programs of requests over random schedules: order, exactly once, atomicity, complete fences, no deadlock.
// A failure prints the command that has its job again.
#include "simulation/rmi_player.hpp"

namespace {

using sheaf_test::dice;
using sheaf_test::program_shape;
using sheaf_test::rmi_body;
using sheaf_test::run_seeds;

constexpr std::uint64_t kinds = 96;

/// Many sorts of settings, tight ones above all.
sheaf::options some_settings(std::uint64_t kind) {
  dice random(kind + 17);
  sheaf::options o;
  o.locations = 1 + static_cast<unsigned>(random.below(5));
  o.ring_slots = random.pick({1u, 1u, 2u, 16u});
  o.window = random.pick({1u, 1u, 2u, 4u});
  o.buffer_bytes = random.pick({std::size_t{128}, std::size_t{256}, std::size_t{1024}});
  o.first_flush_bytes = random.pick({std::size_t{1}, std::size_t{100}, std::size_t{1024}});
  o.reserve_bytes = random.pick({std::size_t{1}, std::size_t{300}, std::size_t{1} << 20});
  o.nesting_limit = random.pick({1u, 4u, 12u});
  o.poll_every = random.pick({1u, 3u, 256u});
  o.flush_age_ns = random.pick({0u, 0u, 300u});
  o.fence_form = random.pick({sheaf::fence_form_kind::tree, sheaf::fence_form_kind::dissemination});
  o.tree_arity = random.pick({1u, 2u, 4u});
  o.buffer_budget = random.pick({std::size_t{1}, std::size_t{4096}, std::size_t{1} << 30});
  using enum sheaf::route_kind;
  o.path = random.pick({direct, direct, direct, ring, hypercube, dissemination, grid, node_wise});
  return o;
}

sheaf::options all_at_one(std::uint64_t kind) {
  sheaf::options o = some_settings(kind);
  o.ring_slots = o.window = 1;
  o.reserve_bytes = o.first_flush_bytes = o.buffer_budget = 1;
  o.buffer_bytes = 128;
  o.poll_every = 1;
  return o;
}

TEST(rmi_seeds, programs_of_all_forms) {
  run_seeds("rmi_seeds.programs_of_all_forms", 6000, kinds, some_settings,
            [](auto const& job, std::uint64_t seed) { return rmi_body(job, {}, seed); });
}

TEST(rmi_seeds, with_every_ring_window_and_cap_at_1) {
  run_seeds("rmi_seeds.with_every_ring_window_and_cap_at_1", 3000, kinds, all_at_one,
            [](auto const& job, std::uint64_t seed) { return rmi_body(job, {}, seed); });
}

TEST(rmi_seeds, deep_nesting_of_waits) {
  program_shape shape;
  shape.phases = 2;
  shape.actions = 3;
  shape.depth = 4;
  shape.late_object = false;
  run_seeds("rmi_seeds.deep_nesting_of_waits", 3000, kinds, some_settings,
            [shape](auto const& job, std::uint64_t seed) { return rmi_body(job, shape, seed); });
}

TEST(rmi_seeds, floods_without_waits) {
  program_shape shape;
  shape.phases = 2;
  shape.actions = 20;
  shape.depth = 3;
  shape.syncs = false;
  shape.waits = false;
  run_seeds("rmi_seeds.floods_without_waits", 2000, kinds, all_at_one,
            [shape](auto const& job, std::uint64_t seed) { return rmi_body(job, shape, seed); });
}

/// Without this the tests above could pass because nothing happens in them.
TEST(rmi_seeds, programs_do_issue_requests) {
  std::size_t requests = 0;
  sheaf::options job = some_settings(3);
  job.locations = 4;
  job.transport = sheaf::transport_kind::sim;
  job.reserve_bytes = 1 << 20;
  job = job.resolved();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    rmi_body body(job, {}, seed);
    sheaf::random_schedule decisions(seed);
    EXPECT_EQ(simulate({.job = job}, decisions, body).text, "");
    requests += body.trace().requests();
  }
  EXPECT_GT(requests, 20u * 100);
}

}  // namespace
