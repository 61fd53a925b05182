// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Errors of futures that nobody asks any more come out of the next fence.
#include <optional>
#include <stdexcept>

#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class unseen : public sheaf_test::over {};
SHEAF_OVER_ALL(unseen);

struct desk : sheaf::distributed<desk> {
  explicit desk(sheaf::team const& t) : distributed(t) {}
  int one() { return 1; }
  int refuse() {
    refused = true;
    throw std::runtime_error("the desk refuses");
  }
  bool refused = false;
};

/// The text that the next fence throws on this member, which tells of so many exceptions.
std::string fence_tells(team const& on, std::uint64_t count) {
  try {
    fence(on);
  } catch (sheaf::remote_error const& e) {
    EXPECT_EQ(e.count(), count);
    return e.what();
  }
  return "the fence threw nothing";
}

TEST_P(unseen, what_a_continuation_throws_when_its_own_future_is_gone) {
  run(3, [](team const& world) {
    desk d(world);
    if (world.rank() == 1) {
      static_cast<void>(d.ask<&desk::one>(2).then([](int) { throw std::runtime_error("nobody listens"); }));
    }
    std::string const text = fence_tells(world, 1);
    expect_in("location 1, in a result that nobody asked for: nobody listens", text);
    fence(world);  // told once
  });
}

TEST_P(unseen, what_a_method_throws_when_the_future_is_gone_before_its_reply) {
  run(2, [](team const& world) {
    desk d(world);
    if (world.rank() == 0) static_cast<void>(d.ask<&desk::refuse>(1));
    std::string const text = fence_tells(world, 1);
    expect_in("location 0, in a result that nobody asked for: location 1, ", text);
    expect_in("desk::refuse called by location 0: the desk refuses", text);
  });
}

TEST_P(unseen, what_methods_threw_before_the_program_did_is_told_with_its_error) {
  std::string const text = text_of<sheaf::job_failed>([&] {
    run(2, [](team const& world) {
      desk d(world);
      if (world.rank() == 0) d.async<&desk::refuse>(0);
      while (world.rank() == 0 && !d.refused) sheaf::poll();
      if (world.rank() == 0) throw std::runtime_error("the program gives up");
      fence(world);
    });
  });
  expect_in("location 0: the program gives up\n  kept for the next fence of team 0: location 0, ", text);
  expect_in("desk::refuse called by location 0: the desk refuses", text);
}

TEST_P(unseen, no_difference_whether_the_reply_is_there_when_the_future_goes) {
  run(2, [](team const& world) {
    desk d(world);
    std::optional<sheaf::future<int>> f;
    if (world.rank() == 0) f = d.ask<&desk::refuse>(1);
    fence(world);  // the reply is here, and its future could still be asked
    f.reset();
    expect_in("the desk refuses", fence_tells(world, 1));
  });
}

TEST_P(unseen, an_error_that_get_has_thrown_is_told) {
  run(2, [](team const& world) {
    desk d(world);
    EXPECT_THROW(d.ask<&desk::refuse>(1 - world.rank()).get(), sheaf::remote_error);
    auto last = d.ask<&desk::refuse>(1 - world.rank()).then([](int v) { return v; });
    EXPECT_THROW(last.get(), sheaf::remote_error);
    fence(world);
  });
}

TEST_P(unseen, an_error_passes_a_chain_of_continuations_and_is_told_once) {
  run(2, [](team const& world) {
    desk d(world);
    auto const next = [](int v) { return v; };
    if (world.rank() == 1) static_cast<void>(d.ask<&desk::refuse>(0).then(next).then(next).then(next));
    expect_in("the desk refuses", fence_tells(world, 1));
  });
}

TEST_P(unseen, it_belongs_to_the_fence_of_the_requests_team) {
  run(4, [](team const& world) {
    team const half = world.split(world.rank() / 2);
    desk inner(half);
    if (world.rank() == 3) {
      auto const fail = [](int) -> int { throw std::runtime_error("in the upper half"); };
      static_cast<void>(inner.ask<&desk::one>(0).then(fail).then([](int) {}));
    }
    if (world.rank() >= 2) {
      expect_in("in the upper half", fence_tells(half, 1));
    } else {
      fence(half);
    }
    fence(world);
  });
}

TEST_P(unseen, once_its_team_has_ended_the_world_tells_it_and_no_later_team) {
  run(2, [](team const& world) {
    std::optional<sheaf::future<int>> asked, next;
    team const first = world.split(0);
    {
      desk d(first);
      if (world.rank() == 0) {
        asked = d.ask<&desk::refuse>(1);
        next = d.ask<&desk::refuse>(1).then([](int v) { return v; });
      }
      fence(first);
    }
    first.end();
    team const second = world.split(0);  // which gets the number, and would get the memory
    EXPECT_EQ(second.id(), first.id());
    asked.reset();
    next.reset();
    fence(second);
    expect_in("the desk refuses", fence_tells(world, 2));
  });
}

TEST_P(unseen, the_end_of_the_job_tells_it) {
  expect_in("nobody listens", failure(2, [](team const& world) {
              desk d(world);
              if (world.rank() == 0) {
                static_cast<void>(d.ask<&desk::one>(1).then([](int) { throw std::runtime_error("nobody listens"); }));
              }
              d.sync<&desk::one>(1 - world.rank());
              sheaf::barrier(world);
            }));
}

}  // namespace
