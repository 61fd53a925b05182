// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/sim_endpoint.hpp"

#include <gtest/gtest.h>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/simulator.hpp"
#include "transport/endpoint_cases.hpp"
#include "transport/sim/sanitizers.hpp"

namespace sheaf_test {
namespace {

options sim_options(unsigned locations, std::uint64_t seed) {
  options o;
  o.transport = sheaf::transport_kind::sim;
  o.locations = locations;
  o.seed = seed;
  return o;
}

void run_case(endpoint_case const& what, options const& o) {
  options const settings = o.resolved();
  SCOPED_TRACE(std::string(what.name) + ", " + sheaf::replay_command(settings));
  EXPECT_EQ(run_endpoint_case(what, sheaf::launch_simulator, settings), "");
}

constexpr std::uint64_t seeds = SHEAF_HAS_ASAN || SHEAF_HAS_TSAN ? 1 : 2;

class sim_endpoint : public testing::TestWithParam<unsigned> {};

/// A job of which location 1 fails.
struct failing_body final : sheaf::location_body {
  void run(sheaf::endpoint& at) override {
    try {
      if (number(at.self()) == 1) at.fail("on purpose");
      for (std::uint32_t round = 0;; ++round) at.idle(round);
    } catch (sheaf::job_aborted const&) {
    }
  }
};

TEST(sim_launch, tells_once_how_to_replay_a_failed_job) {
  options o = sim_options(3, 77);
  o.reserve_bytes = 5000;
  o.fence_form = sheaf::fence_form_kind::tree;
  failing_body body;
  testing::internal::CaptureStderr();
  sheaf::launch_simulator(o.resolved(), body);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "sheaf: replay: SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=3 SHEAF_RESERVE_BYTES=5000 SHEAF_FENCE_FORM=tree "
            "SHEAF_SEED=77\n");
}

TEST_P(sim_endpoint, passes_the_suite) {
  for (endpoint_case const& what : endpoint_cases) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) run_case(what, sim_options(GetParam(), seed));
  }
}

TEST_P(sim_endpoint, passes_the_suite_with_every_limit_at_one) {
  for (endpoint_case const& what : endpoint_cases) {
    options o = sim_options(GetParam(), 1);
    o.ring_slots = o.window = 1;
    o.buffer_bytes = 256;
    for (o.seed = 1; o.seed <= seeds; ++o.seed) run_case(what, o);
  }
}

TEST_P(sim_endpoint, a_failure_reaches_every_location) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) run_case(failure_case, sim_options(GetParam(), seed));
}

INSTANTIATE_TEST_SUITE_P(locations, sim_endpoint, testing::Values(1, 2, 3, 4, 7, 8),
                         [](auto const& i) { return std::string("n").append(std::to_string(i.param)); });

}  // namespace
}  // namespace sheaf_test
