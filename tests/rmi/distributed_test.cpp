// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/distributed.hpp"

#include <optional>

#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf_test::expect_in;

class distributed : public sheaf_test::over {};
SHEAF_OVER_ALL(distributed);

struct counter : sheaf::distributed<counter> {
  explicit counter(sheaf::team const& t) : distributed(t) {}
  std::uint64_t value = 0;
  void add(std::uint64_t v) { value += v; }
  std::uint64_t get() const { return value; }
};

/// A class that knows nothing of Sheaf.
struct plain {
  std::uint64_t value = 0;
  void add(std::uint64_t v) { value += v; }
};

TEST_P(distributed, objects_made_in_the_same_order_have_the_same_name) {
  run(3, [](team const& world) {
    counter a(world), b(world);
    EXPECT_NE(handle_of(a), handle_of(b));
    for (auto const h : {handle_of(a), handle_of(b)}) {
      for (auto const& theirs : all_gather(world, h)) EXPECT_EQ(theirs, h);
    }
    a.async<&counter::add>(0, 1u);
    b.async<&counter::add>(0, 10u);
    sheaf::fence(world);
    EXPECT_EQ(a.value, world.rank() == 0 ? 3u : 0u);
    EXPECT_EQ(b.value, world.rank() == 0 ? 30u : 0u);
    sheaf::fence(world);
  });
}

TEST_P(distributed, objects_of_teams_are_called_by_rank_in_the_team) {
  run(4, [](team const& world) {
    team const odd = world.split(world.rank() % 2, 100 - world.rank());
    counter c(odd);
    EXPECT_EQ(c.members().size(), 2u);
    c.async<&counter::add>(0, world.rank());
    sheaf::fence(odd);
    EXPECT_EQ(c.value, world.rank() >= 2 ? 2 * (world.rank() % 2) + 2 : 0u);
    EXPECT_EQ(c.sync<&counter::get>(0), 2 * (world.rank() % 2) + 2);
    sheaf::fence(odd);
  });
}

TEST_P(distributed, any_object_can_be_registered) {
  run(2, [](team const& world) {
    plain p;
    sheaf::registration<plain> const r(world, p);
    EXPECT_EQ(r.members(), world);
    r.async<&plain::add>(1 - world.rank(), world.rank() + 1);
    sheaf::fence(world);
    EXPECT_EQ(p.value, 2 - world.rank());
    sheaf::fence(world);
  });
}

TEST_P(distributed, requests_before_registration_are_held_in_order) {
  run(2, [](team const& world) {
    counter early(world);
    std::optional<counter> late;
    if (world.rank() == 0) {
      late.emplace(world);
      for (std::uint64_t i = 0; i < 100; ++i) {
        late->async(
            1, [](counter& c, std::uint64_t v) { c.value = c.value * 3 + v; }, i % 3);
      }
      sheaf::flush();
    }
    barrier(world);
    for (int i = 0; i < 100; ++i) sheaf::poll();
    if (world.rank() == 1) late.emplace(world);
    sheaf::fence(world);
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < 100; ++i) expected = expected * 3 + i % 3;
    EXPECT_EQ(late->value, world.rank() == 1 ? expected : 0u);
    sheaf::fence(world);
  });
}

TEST_P(distributed, a_request_after_the_destructor_ends_the_job_with_advice) {
  std::string const text = failure(2, [](team const& world) {
    std::optional<counter> c;
    c.emplace(world);
    auto const h = handle_of(*c);
    if (world.rank() == 1) c.reset();
    barrier(world);
    if (world.rank() == 0) h.async<&counter::add>(1, 1u);
    sheaf::fence(world);
  });
  expect_in("after the object was destroyed here", text);
  expect_in("counter::add", text);
}

}  // namespace
