// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/sim_network.hpp"

#include <gtest/gtest.h>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/simulator.hpp"
#include "transport/endpoint_cases.hpp"
#include "transport/host/sanitizers.hpp"

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
            "sheaf: replay: SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=3 SHEAF_RESERVE_BYTES=5000 SHEAF_SEED=77 with "
            "options::fence_form=tree\n");
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

TEST_P(sim_endpoint, passes_the_suite_in_a_timed_play) {
  auto const in_time = [](options const& o, sheaf::location_body& body) {
    sheaf::random_schedule unused(1);
    EXPECT_EQ(simulate({.job = o, .order = sheaf::play::timed}, unused, body).text, "");
  };
  options o = sim_options(GetParam(), 1);
  for (endpoint_case const& what : endpoint_cases) EXPECT_EQ(run_endpoint_case(what, in_time, o.resolved()), "");
  o.ring_slots = o.window = 1;
  for (endpoint_case const& what : endpoint_cases) EXPECT_EQ(run_endpoint_case(what, in_time, o.resolved()), "");
}

TEST_P(sim_endpoint, a_failure_reaches_every_location) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) run_case(failure_case, sim_options(GetParam(), seed));
}

/// Notes for each location which ones are near, and exchanges an entry with each of all.
struct neighbours_body final : sheaf::location_body {
  std::vector<std::string> near;
  explicit neighbours_body(std::size_t locations) : near(locations) {}
  void run(sheaf::endpoint& at) override {
    for (std::uint32_t i = 0; i < at.size(); ++i) {
      near[number(at.self())] += at.near(location_id{i}) ? 'n' : '.';
      buffer b = at.acquire(location_id{i}, 8);
      b.set_size(8);
      EXPECT_TRUE(at.send(location_id{i}, traffic::request, b));
    }
    arrival in;
    for (std::uint32_t got = 0, round = 0; got < at.size();) {
      if (!at.receive(wanted::all, in)) {
        at.idle(round++);
        continue;
      }
      at.consumed(in.source, in.kind);
      ++got;
    }
  }
};

TEST(sim_hosts, locations_of_a_host_are_near_each_other) {
  auto const near_of = [](unsigned hosts, unsigned locations, unsigned threads = 1) {
    sheaf::simulation s;
    s.job = sim_options(locations, 1);
    s.job.hosts = hosts;
    s.job.threads = threads;
    neighbours_body body(locations);
    sheaf::random_schedule decisions(1);
    EXPECT_EQ(sheaf::simulate(s, decisions, body).text, "");
    return body.near;
  };
  using rows = std::vector<std::string>;
  EXPECT_EQ(near_of(0, 3), (rows{"...", "...", "..."}));
  EXPECT_EQ(near_of(1, 2), (rows{"nn", "nn"}));
  EXPECT_EQ(near_of(2, 5), (rows{"nnn..", "nnn..", "nnn..", "...nn", "...nn"}));
  EXPECT_EQ(near_of(3, 2), (rows{"n.", ".n"})) << "no host is empty";
  EXPECT_EQ(near_of(2, 5, 2), (rows{"nnnn.", "nnnn.", "nnnn.", "nnnn.", "....n"})) << "a process is on one host";
}

INSTANTIATE_TEST_SUITE_P(locations, sim_endpoint, testing::Values(1, 2, 3, 4, 7, 8),
                         [](auto const& i) { return std::string("n").append(std::to_string(i.param)); });

}  // namespace
}  // namespace sheaf_test
