// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What the program has kept when sheaf::run has returned.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/text_of.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/run.hpp"

namespace {

using sheaf::team;

class counter : public sheaf::distributed<counter> {
 public:
  explicit counter(sheaf::team const& on) : distributed(on) {}
  void add(int n) { sum += n; }
  [[nodiscard]] int get() const { return sum; }
  int sum = 0;
};

template <class F>
void expect_error(F f, std::string const& part) {
  std::string const text = sheaf_test::text_of<sheaf::usage_error>(f);
  EXPECT_NE(text.find(part), text.npos) << text;
}

sheaf::options settings_of(sheaf::transport_kind transport) {
  sheaf::options o;
  o.transport = transport;
  o.locations = 1;
  return o;
}

class ended : public testing::TestWithParam<sheaf::transport_kind> {
 protected:
  static void run(std::function<void(team)> f) { sheaf::run(settings_of(GetParam()), f); }
};
INSTANTIATE_TEST_SUITE_P(all, ended, testing::Values(sheaf::transport_kind::thread, sheaf::transport_kind::sim));

TEST_P(ended, a_team_says_what_to_do) {
  std::optional<team> kept;
  run([&](team world) { kept = world; });
  std::string const outside = "team 0 was used outside of sheaf::run; a team is of use on the location that got it";
  EXPECT_EQ(kept->size(), 1u);
  expect_error([&] { barrier(*kept); }, outside);
  expect_error([&] { rmi_fence(*kept); }, outside);
  expect_error([&] { all_reduce(*kept, 1, std::plus<>()); }, outside);
  expect_error([&] { static_cast<void>(kept->split(0)); }, outside);
  expect_error([&] { static_cast<void>(kept->subteam({0})); }, outside);
  expect_error([&] { static_cast<void>(kept->location_of(0)); }, outside);
  expect_error([&] { counter made(*kept); }, outside);
}

TEST_P(ended, a_team_of_another_job_is_recognised) {
  std::optional<team> kept;
  run([&](team world) { kept = world; });
  run([&](team world) {
    EXPECT_FALSE(world == *kept);
    expect_error([&] { barrier(*kept); }, "team 0 was used by a location, or in a job, that is not its own");
    barrier(world);
  });
}

TEST_P(ended, an_object_can_be_destroyed) {
  std::unique_ptr<counter> kept;
  run([&](team world) {
    kept = std::make_unique<counter>(world);
    for (int i = 0; i < 10; ++i) kept->async<&counter::add>(0, i);
  });
  EXPECT_EQ(kept->sum, 45);
  expect_error([&] { barrier(kept->team()); }, "team 0 was used outside of sheaf::run");
  kept.reset();
}

}  // namespace
