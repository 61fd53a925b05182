// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// No allocation on the message path, once it has been used.
#include "cost/new_counter.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/rmi/reply_window.hpp"

namespace {

using sheaf::team;

struct till : sheaf::distributed<till> {
  explicit till(sheaf::team const& t) : distributed(t) {}
  std::uint64_t sum = 0;
  void add(std::uint64_t v) { sum += v; }
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
};

/// Runs `work` on two locations again and again; then it must not allocate on either.
template <class Work>
void expect_no_allocation(Work work) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 2), [&](team const& world) {
    till t(world);
    sheaf::reply_window<std::uint64_t> window(world, 1000);
    // How many buffers and replies are under way at once depends on the schedule: warm until a round allocates nothing.
    std::uint64_t last = 1;
    for (int round = 0; round < 50 && last != 0; ++round) {
      barrier(world);
      std::uint64_t const before = sheaf_test::news();
      work(t, window);
      sheaf::fence(world);
      last = sheaf_test::news() - before;
      barrier(world);
      last = all_reduce(world, last, [](std::uint64_t a, std::uint64_t b) { return a < b ? b : a; });
    }
    EXPECT_EQ(last, 0u) << "each of 50 rounds allocated";
    sheaf::fence(world);
  });
}

TEST(allocation, none_in_async_requests) {
  expect_no_allocation([](till& t, auto&) {
    for (std::uint64_t i = 0; i < 100'000; ++i) t.async<&till::add>(i % 2, i);
  });
}

TEST(allocation, none_in_sync_requests) {
  expect_no_allocation([](till& t, auto&) {
    for (int i = 0; i < 2000; ++i) t.sync<&till::twice>(1 - t.rank(), 3u);
  });
}

TEST(allocation, none_in_split_phase_requests) {
  expect_no_allocation([](till& t, auto&) {
    for (std::uint64_t i = 0; i < 10'000; ++i) static_cast<void>(t.ask<&till::twice>(1 - t.rank(), i).get());
  });
}

TEST(allocation, none_in_windowed_requests) {
  expect_no_allocation([](till& t, auto& window) {
    for (int round = 0; round < 50; ++round) {
      for (std::uint32_t i = 0; i < 1000; ++i) t.ask_into<&till::twice>(i % 2, window, i, i);
      window.wait();
    }
  });
}

TEST(allocation, none_in_fences_and_barriers) {
  expect_no_allocation([](till& t, auto&) {
    for (int i = 0; i < 1000; ++i) {
      sheaf::fence(t.members());
      barrier(t.members());
    }
  });
}

}  // namespace
