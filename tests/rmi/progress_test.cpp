// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Locations that compute without polling, under the modes of SHEAF_PROGRESS. What they wait for is a variable that
/// only a request sets: a test ends because the request gets through, or it is ended by its timeout.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "sheaf/sheaf.hpp"

namespace {

using sheaf::progress_kind;

struct board : sheaf::distributed<board> {
  explicit board(sheaf::team const& on) : distributed(on) {}

  std::atomic<std::uint64_t> sum{0};
  std::atomic<std::uint64_t> calls{0};
  std::vector<std::uint64_t> in_order;  // its own thread's
  std::thread::id const own = std::this_thread::get_id();
  std::atomic<bool> elsewhere{false};

  // Concurrent.
  void add(std::uint64_t value) {
    if (std::this_thread::get_id() != own) elsewhere = true;  // before the sum, at which somebody looks
    sum += value;
    ++calls;
  }
  std::uint64_t asked(std::uint64_t value) { return value + sum.load(); }
  void pass_on(std::uint32_t left) {
    ++calls;
    if (left != 0) async<&board::pass_on>((rank() + 1) % members().size(), left - 1);
  }
  void meet(std::uint64_t others) {  // returns when so many are inside
    ++calls;
    while (calls.load() < others) std::this_thread::yield();
  }
  void refuse(std::string const& text) { throw std::runtime_error(text); }
  void wait_in_it() { sync<&board::atomic_ask>(0, 1u); }

  // Not concurrent.
  void keep(std::uint64_t value) {
    EXPECT_EQ(std::this_thread::get_id(), own);
    in_order.push_back(value);
  }
  std::uint64_t atomic_ask(std::uint64_t value) { return 2 * value; }
  void set(std::uint64_t value) { sum = value; }
};

}  // namespace

template <>
inline constexpr bool sheaf::concurrent<&board::add> = true;
template <>
inline constexpr bool sheaf::concurrent<&board::asked> = true;
template <>
inline constexpr bool sheaf::concurrent<&board::pass_on> = true;
template <>
inline constexpr bool sheaf::concurrent<&board::meet> = true;
template <>
inline constexpr bool sheaf::concurrent<&board::refuse> = true;
template <>
inline constexpr bool sheaf::concurrent<&board::wait_in_it> = true;

namespace {

/// Registered long before its members are made.
struct slowly_made : sheaf::distributed<slowly_made> {
  template <class F>
  slowly_made(sheaf::team const& on, F take_time) : distributed(on), made((take_time(), true)) {}

  void call() { ++(made ? late : early); }  // concurrent

  std::atomic<int> early{0};
  std::atomic<bool> made{false};
  std::atomic<int> late{0};
};

}  // namespace

template <>
inline constexpr bool sheaf::concurrent<&slowly_made::call> = true;

namespace {

sheaf::options with(progress_kind progress, unsigned locations = 2) {
  sheaf::options o;
  o.transport = sheaf::transport_kind::thread;
  o.locations = locations;
  o.progress = progress;
  return o;
}

/// Computes, as Sheaf sees it, until the condition holds.
template <class Condition>
void compute_until(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

class with_help : public testing::TestWithParam<progress_kind> {};
INSTANTIATE_TEST_SUITE_P(modes, with_help, testing::Values(progress_kind::helper, progress_kind::hand_over),
                         [](auto const& mode) { return std::string(sheaf::name(mode.param)); });

TEST_P(with_help, a_computing_location_answers_concurrent_requests) {
  std::atomic<bool> computing{false};  // out of the barrier, in which it would execute them itself
  sheaf::run(with(GetParam()), [&](sheaf::team world) {
    board all(world);
    std::atomic<std::uint64_t>& sum = all.sum;
    sheaf::barrier(world);
    if (world.rank() == 1) {
      computing = true;
      compute_until([&] { return sum.load() == 42; });
      EXPECT_TRUE(all.elsewhere.load());
    } else {
      while (!computing) std::this_thread::yield();
      EXPECT_EQ(all.sync<&board::asked>(1, 7u), 7u);
      auto later = all.ask<&board::asked>(1, 8u);
      EXPECT_EQ(later.get(), 8u);
      all.async<&board::add>(1, 42u);
    }
    sheaf::fence(world);  // to which the other one comes once it has been told
  });
}

TEST_P(with_help, others_are_put_aside_in_order_and_executed_by_the_owner) {
  sheaf::options o = with(GetParam());
  o.buffer_bytes = 256;
  o.window = 1;
  constexpr std::uint64_t count = 3000;
  std::atomic<bool> computing{false};
  sheaf::run(o, [&](sheaf::team world) {
    board all(world);
    sheaf::barrier(world);
    if (world.rank() == 0) {
      while (!computing) std::this_thread::yield();
      for (std::uint64_t i = 0; i < count; ++i) all.async<&board::keep>(1, i);
      all.async<&board::add>(1, 1u);
      sheaf::flush();
    } else {
      computing = true;
      // The concurrent one is behind all others: it comes because those have been taken off the transport.
      compute_until([&] { return all.sum.load() == 1; });
      EXPECT_TRUE(all.in_order.empty()) << "only the owner executes them, and it computes";
    }
    sheaf::fence(world);
    if (world.rank() != 1) return;
    std::vector<std::uint64_t> expected(count);
    std::iota(expected.begin(), expected.end(), 0u);
    EXPECT_EQ(all.in_order, expected);
  });
}

TEST_P(with_help, what_a_computing_location_has_issued_leaves) {
  sheaf::run(with(GetParam()), [](sheaf::team world) {
    board all(world);
    sheaf::barrier(world);
    if (world.rank() == 0) {
      all.async<&board::set>(1, 5u);                       // lies in an open buffer
      compute_until([&] { return all.sum.load() == 6; });  // comes back only if that has left
    } else {
      while (all.sum.load() != 5) sheaf::poll();
      all.async<&board::add>(0, 6u);
      sheaf::flush();
      // hand_over: somebody waits
    }
    sheaf::fence(world);
  });
}

TEST_P(with_help, nobody_else_calls_an_object_that_is_being_made) {
  std::atomic<bool> computing{false};
  sheaf::run(with(GetParam()), [&](sheaf::team world) {
    board all(world);
    sheaf::barrier(world);
    slowly_made one(world, [&] {
      if (world.rank() != 1) return;
      computing = true;
      compute_until([&] { return all.sum.load() == 1; });
    });
    if (world.rank() == 0) {
      while (!computing) std::this_thread::yield();
      one.async<&slowly_made::call>(1);
      all.async<&board::add>(1, 1u);  // taken up behind it, but executed
      sheaf::flush();
    } else {
      EXPECT_EQ(one.early.load(), 0);
      sheaf::poll();
    }
    sheaf::fence(world);
    EXPECT_EQ(one.late.load(), world.rank() == 1 ? 1 : 0);
  });
}

TEST_P(with_help, an_owner_that_leaves_others_requests_alone_is_named) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  int const before = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  sheaf::options o = with(GetParam(), 2);
  o.poll_warning_ms = 1;
  std::string told;
  std::atomic<bool> computing{false};
  sheaf::run(o, [&](sheaf::team world) {
    board all(world);
    sheaf::barrier(world);
    if (world.rank() == 0) {
      while (!computing) std::this_thread::yield();
      all.async<&board::keep>(1, 1u);
      sheaf::flush();
    } else {
      computing = true;
      char block[512];
      while (told.find("have received for it") == told.npos) {  // reads, and so computes without polling
        ssize_t const n = ::read(ends[0], block, sizeof block);
        if (n > 0) told.append(block, static_cast<std::size_t>(n));
      }
    }
    sheaf::fence(world);
  });
  ::dup2(before, STDERR_FILENO);
  for (int const each : {before, ends[0], ends[1]}) ::close(each);
  EXPECT_NE(told.find("location 1 has not executed the requests that other threads have received for it"), told.npos)
      << told;
}

TEST_P(with_help, fences_count_what_was_executed_elsewhere_and_what_that_sent) {
  sheaf::run(with(GetParam(), 3), [](sheaf::team world) {
    board all(world);
    for (int round = 0; round < 20; ++round) {
      sheaf::fence(world);
      all.calls = 0;
      sheaf::barrier(world);
      for (std::uint32_t dest = 0; dest < world.size(); ++dest) all.async<&board::pass_on>(dest, 30u);
      if (world.rank() == 2) compute_until([&] { return all.calls.load() >= 9; });
      sheaf::fence(world);
      auto const total = sheaf::all_reduce(world, all.calls.load(), std::plus<>());
      EXPECT_EQ(total, 3u * 3u * 31u);
    }
  });
}

/// In a tree with one child per member location 2 is below location 1.
TEST_P(with_help, a_broadcast_is_passed_on_by_who_helps_a_computing_location) {
  std::atomic<bool> computing{false}, came{false};
  sheaf::options o = with(GetParam(), 3);
  o.tree_arity = 1;
  sheaf::run(o, [&](sheaf::team world) {
    board all(world);
    sheaf::barrier(world);
    if (world.rank() == 1) {
      computing = true;
      compute_until([&] { return came.load(); });
      EXPECT_TRUE(all.elsewhere.load());
    } else {
      while (!computing) std::this_thread::yield();
      if (world.rank() == 0) all.async<&board::add>(sheaf::to_others, 7u);
      while (world.rank() == 2 && all.calls.load() == 0) sheaf::poll();
      if (world.rank() == 2) came = true;
    }
    sheaf::fence(world);
    EXPECT_EQ(sheaf::all_reduce(world, all.sum.load(), std::plus<>()), 14u);
  });
}

TEST_P(with_help, exceptions_of_concurrent_methods_reach_the_caller_or_the_fence) {
  sheaf::run(with(GetParam()), [](sheaf::team world) {
    board all(world);
    sheaf::barrier(world);
    if (world.rank() == 0) {
      EXPECT_THROW(all.sync<&board::refuse>(1, "not today"), sheaf::remote_error);
      all.async<&board::refuse>(1, "nor tomorrow");
      all.async<&board::add>(1, 1u);
      sheaf::flush();
    } else {
      compute_until([&] { return all.sum.load() == 1; });
    }
    try {
      sheaf::fence(world);
      FAIL() << "the fence says nothing";
    } catch (sheaf::remote_error const& told) {
      EXPECT_NE(std::string(told.what()).find("nor tomorrow"), std::string::npos) << told.what();
    }
  });
}

TEST(progress, several_helpers_execute_concurrent_methods_at_once) {
  sheaf::options o = with(progress_kind::helper);
  o.helpers = 3;
  sheaf::run(o, [](sheaf::team world) {
    board all(world);
    sheaf::barrier(world);
    if (world.rank() == 0) {
      for (int i = 0; i < 3; ++i) {
        all.async<&board::meet>(1, 3u);
        sheaf::flush();
      }
    } else {
      compute_until([&] { return all.calls.load() == 3; });
    }
    sheaf::fence(world);
  });
}

TEST(progress, a_concurrent_method_must_not_wait_in_any_mode) {
  for (auto const mode : {progress_kind::inlined, progress_kind::shared, progress_kind::helper}) {
    sheaf::run(with(mode), [](sheaf::team world) {
      board all(world);
      if (world.rank() == 0) {
        try {
          all.sync<&board::wait_in_it>(1);
          ADD_FAILURE() << "it waited";
        } catch (sheaf::remote_error const& told) {
          EXPECT_NE(std::string(told.what()).find("declared concurrent; such a method may send, but not wait"),
                    std::string::npos)
              << told.what();
        }
      }
      sheaf::fence(world);
    });
  }
}

TEST(progress, a_helper_costs_no_correctness_where_the_owner_does_all_itself) {
  sheaf::run(with(progress_kind::helper, 3), [](sheaf::team world) {
    board all(world);
    std::uint32_t const next = (world.rank() + 1) % world.size();
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      all.async<&board::keep>(next, i);
      if (i % 1000 != 0) continue;
      EXPECT_EQ(all.sync<&board::atomic_ask>(next, i), 2 * i);
    }
    sheaf::fence(world);
    EXPECT_EQ(all.in_order.size(), 20'000u);
    EXPECT_TRUE(std::is_sorted(all.in_order.begin(), all.in_order.end()));
  });
}

}  // namespace
