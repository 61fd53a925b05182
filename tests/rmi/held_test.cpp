// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Programs in which a location never registers an object that others call.
#include <atomic>
#include <memory>

#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf_test::expect_in;

struct board : sheaf::distributed<board> {
  explicit board(sheaf::team const& t) : distributed(t) {}
  int pins = 0;
  void pin() { ++pins; }
  int count() { return pins; }
};

/// What the simulator says of a job of two.
template <class F>
std::string deadlock(F f) {
  try {
    sheaf::run(sheaf_test::job_of(sheaf::transport_kind::sim, 2), f);
  } catch (sheaf::job_failed const& e) {
    return e.what();
  }
  return "it ended";
}

TEST(held_requests, the_simulator_names_them_when_a_question_waits_for_ever) {
  std::string const text = deadlock([](team const& world) {
    board const everywhere(world);
    if (world.rank() == 0) board(world).sync<&board::count>(1);
  });
  expect_in("deadlock", text);
  expect_in("location 1 holds 1 request (", text);
  expect_in("board::count) of location 0 for object 2 of team 0, which was never registered here (1 object of it was)",
            text);
}

TEST(held_requests, the_simulator_names_them_when_a_fence_waits_for_ever) {
  for (bool const before_the_cut : {true, false}) {
    testing::internal::CaptureStderr();
    std::string const text = deadlock([before_the_cut](team const& world) {
      std::unique_ptr<board> const first = world.rank() == 0 ? std::make_unique<board>(world) : nullptr;
      if (first != nullptr) first->async<&board::pin>(1);
      sheaf::flush();
      while (before_the_cut && world.rank() == 1 && here_of(world).in().held_requests().empty()) sheaf::poll();
      fence(world);
    });
    std::string const warning = testing::internal::GetCapturedStderr();
    expect_in("for object 1 of team 0, which was never registered here (0 objects of it were)", text);
    expect_in("sheaf: warning: a fence on location 1 waits for requests to objects that are not registered", warning);
    expect_in("board::pin) of location 0 for object 1 of team 0", warning);
  }
}

class held_over : public sheaf_test::over {};
SHEAF_OVER_ALL(held_over);

/// What has been executed, as the one process of all locations sees it.
std::atomic<int> executed{0};

struct witness : sheaf::distributed<witness> {
  explicit witness(sheaf::team const& t) : distributed(t) {}
  bool told = false;
  void see() { ++executed; }
  void tell() { told = true; }
  void see_once_told() {
    while (!told) sheaf::wait_for_request();
    ++executed;
  }
};

/// Who asks behind other requests learns with the answer that these have been executed, also where they were held.
TEST_P(held_over, a_question_behind_others_acknowledges_them) {
  executed = 0;
  run(2, [](team const& world) {
    witness const before(world);
    fence(world);
    while (world.rank() == 1 && here_of(world).in().held_requests().empty()) sheaf::poll();
    witness const late(world);
    if (world.rank() == 0) {
      for (int i = 0; i < 1000; ++i) late.async<&witness::see>(1);
      sheaf::flush();
      before.ask<&witness::see>(1).get();
      EXPECT_EQ(executed, 1001);
    }
    fence(world);
  });
}

/// The answer to a method that waits leaves when that has ended, though what came behind it has been executed.
TEST_P(held_over, the_answer_of_a_method_that_waits_acknowledges_its_end) {
  executed = 0;
  run(2, [](team const& world) {
    witness const w(world);
    if (world.rank() == 0) {
      auto first = w.ask<&witness::see_once_told>(1);
      w.ask<&witness::see>(1).get();
      EXPECT_EQ(executed, 1);
      EXPECT_FALSE(first.ready());
      w.async<&witness::tell>(1);
      first.get();
      EXPECT_EQ(executed, 2);
    }
    fence(world);
  });
}

/// Whether a warning is printed here depends on who is first; the job ends in any case.
TEST_P(held_over, a_method_may_register_what_a_fence_waits_for) {
  struct founder : sheaf::distributed<founder> {
    explicit founder(sheaf::team const& t) : distributed(t) {}
    std::unique_ptr<board> made;
    void found() { made = std::make_unique<board>(members()); }
  };
  run(3, [](team const& world) {
    founder f(world);
    fence(world);
    if (world.rank() == 0) {
      for (std::uint32_t d = 0; d < 3; ++d) f.async<&founder::found>(d);
    } else {
      (sheaf::handle<board>(0, 2)).async<&board::pin>(1);
    }
    fence(world);
    EXPECT_EQ(f.made->pins, world.rank() == 1 ? 2 : 0);
    fence(world);
    f.made.reset();
  });
}

TEST_P(held_over, what_comes_from_behind_a_fence_is_held_without_a_word) {
  testing::internal::CaptureStderr();
  run(4, [](team const& world) {
    for (int round = 0; round < 50; ++round) {
      fence(world);
      board b(world);
      for (std::uint32_t d = 0; d < 4; ++d) b.async<&board::pin>(d);
      fence(world);
      EXPECT_EQ(b.pins, 4);
    }
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
