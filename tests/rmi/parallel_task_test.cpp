// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/parallel_task.hpp"

#include <stdexcept>

#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class parallel_tasks : public sheaf_test::over {};
SHEAF_OVER_ALL(parallel_tasks);

/// Each member gives every other one its rank; nobody fences.
struct meet : sheaf::parallel_task {
  std::uint64_t sum = 0;
  void take(std::uint64_t v) { sum += v; }
  void execute() {
    for (std::uint32_t to = 0; to < members().size(); ++to) sheaf::handle_of(*this).async<&meet::take>(to, rank());
  }
};

TEST_P(parallel_tasks, run_on_all_members_and_end_with_a_fence) {
  run(4, [](team const& world) {
    meet m;
    sheaf::execute(m);
    EXPECT_EQ(m.sum, 6u);
    sheaf::execute(m, world);
    EXPECT_EQ(m.sum, 12u);
  });
}

TEST_P(parallel_tasks, overlapping_teams_execute_their_own) {
  run(4, [](team const& world) {
    team const row = world.split(world.rank() / 2), column = world.split(world.rank() % 2);
    meet a, b;
    sheaf::execute(a, row);
    EXPECT_EQ(a.sum, 1u);
    sheaf::execute(b, column);
    EXPECT_EQ(b.sum, 1u);
    auto const odd = world.subteam_if([](std::uint32_t r) { return r % 2 == 1; });
    meet c;
    if (odd) sheaf::execute(c, *odd);
    EXPECT_EQ(c.sum, odd ? 1u : 0u);
  });
}

struct inner : sheaf::parallel_task {
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
  sheaf::task<std::uint64_t> execute() {
    std::uint64_t const next = (rank() + 1ULL) % members().size();
    co_return co_await sheaf::handle_of(*this).ask<&inner::twice>(next, next);
  }
};
struct outer : sheaf::parallel_task {
  std::uint64_t execute() {
    return sheaf::execute(inner(), members()) + sheaf::all_reduce(members(), std::uint64_t{1}, plus);
  }
  static std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a + b; }
};

TEST_P(parallel_tasks, give_results_and_nest) {
  run(3, [](team const& world) { EXPECT_EQ(sheaf::execute(outer()), (world.rank() + 1ULL) % 3 * 2 + 3); });
}

struct failing : sheaf::parallel_task {
  void execute() {
    if (rank() == 1) throw std::runtime_error("not today");
  }
};

TEST_P(parallel_tasks, an_exception_reaches_every_member) {
  run(3, [](team const& world) {
    std::string const text = text_of<sheaf::remote_error>([] { sheaf::execute(failing()); });
    expect_in("execute() of ", text);
    expect_in("failing", text);
    expect_in("location 1", text);
    expect_in("not today", text);
    meet m;  // and all goes on
    sheaf::execute(m, world);
    EXPECT_EQ(m.sum, 3u);
  });
}

/// Executes itself again.
struct twice_at_once : sheaf::parallel_task {
  bool again = true;
  void execute() {
    if (std::exchange(again, false)) sheaf::execute(*this);
  }
};
/// Calls itself by the wrong name.
struct misnamed : meet {
  void execute() { static_cast<void>(sheaf::handle_of(static_cast<meet const&>(*this))); }
};

TEST_P(parallel_tasks, misuse_is_told) {
  run(1, [](team const&) {
    meet m;
    expect_in("while nobody executes it", text_of<sheaf::usage_error>([&] { static_cast<void>(m.rank()); }));
    expect_in("while nobody executes it", text_of<sheaf::usage_error>([&] { static_cast<void>(sheaf::handle_of(m)); }));
    expect_in(
        "execute() was called on a parallel_task that is being executed, by team 0; give each execute() a task of its "
        "own",
        text_of<sheaf::remote_error>([&] { sheaf::execute(twice_at_once()); }));
    expect_in("in another class than the one that sheaf::execute was given",
              text_of<sheaf::remote_error>([&] { sheaf::execute(misnamed()); }));
  });
}

}  // namespace
