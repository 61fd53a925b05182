// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Jobs that hang on purpose, and what they end with; and healthy ones that must not be blamed. The hanging ones are in
// hanging_jobs.hpp, which the MPI tests of tests.cmake use, too.

#include <array>
#include <atomic>

#include "rmi/hanging_jobs.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/container/vector.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/migrating.hpp"
#include "sheaf/rmi/published.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/runtime/statistics.hpp"

namespace {

using sheaf::team;
using sheaf::transport_kind;
using sheaf_test::expect_in;
using sheaf_test::hanging_job;

/// What a job ends with that must not hang.
template <class F>
std::string end_of(sheaf::options const& o, F f) {
  try {
    sheaf::run(o, f);
  } catch (sheaf::job_failed const& e) {
    return e.what();
  }
  return "it ended well";
}

/// The simulator finds a deadlock itself at once; with an interval the watchdog does, in virtual time.
struct way {
  char const* name;
  transport_kind transport;
  unsigned watchdog_ms;
};
void PrintTo(way const& w, std::ostream* to) { *to << w.name; }

sheaf::options job_over(way const& w, unsigned locations) {
  sheaf::options o = sheaf_test::job_of(w.transport, locations);
  o.watchdog_ms = w.watchdog_ms;
  return o;
}

class watchdog : public testing::TestWithParam<way> {};
INSTANTIATE_TEST_SUITE_P(over, watchdog,
                         testing::Values(way{"thread", transport_kind::thread, 20}, way{"sim", transport_kind::sim, 0},
                                         way{"sim_watched", transport_kind::sim, 500}),
                         [](auto const& info) { return std::string(info.param.name); });

TEST_P(watchdog, every_hanging_job_ends_with_a_text_that_explains_it) {
  for (hanging_job const& job : sheaf_test::hanging_jobs()) {
    testing::internal::CaptureStderr();
    std::string const text = end_of(job_over(GetParam(), job.locations), job.program);
    testing::internal::GetCapturedStderr();
    SCOPED_TRACE(job.name);
    bool const found_by_simulator = GetParam().transport == transport_kind::sim && GetParam().watchdog_ms == 0;
    expect_in(found_by_simulator ? "deadlock: nothing is travelling" : "deadlock: all ", text);
    if (!found_by_simulator) expect_in("(docs/guide/insight.md#deadlock)", text);
    for (std::string const& part : job.texts) expect_in(part.c_str(), text);
  }
}

TEST_P(watchdog, a_location_that_computes_long_is_not_blamed) {
  std::string const text = end_of(job_over(GetParam(), 3), [](team const& world) {
    sheaf::endpoint& net = here_of(world).connection();
    std::uint64_t const until = net.now() + 150'000'000;
    if (world.rank() == 2) {
      while (net.now() < until) net.idle(0, until);  // neither polls nor waits, as a program that computes
    }
    sheaf::barrier(world);
    if (world.rank() == 0) {
      while (net.now() < until + 100'000'000) net.idle(0, until + 100'000'000);
    }
  });
  EXPECT_EQ(text, "it ended well");
}

TEST_P(watchdog, a_program_that_polls_is_not_blamed) {
  std::string const text = end_of(job_over(GetParam(), 2), [](team const& world) {
    sheaf::endpoint& net = here_of(world).connection();
    std::uint64_t const until = net.now() + 100'000'000;
    if (world.rank() == 1) {
      while (net.now() < until) {
        sheaf::poll();
        net.idle(0, until);
      }
    }
  });
  EXPECT_EQ(text, "it ended well");
}

TEST(watchdog_outside, what_is_expected_from_outside_the_job_keeps_it_from_being_blamed) {
  for (int const expected : {1, 0}) {
    std::string const text = end_of(job_over({"", transport_kind::sim, 10}, 2), [&](team const& world) {
      sheaf::detail::location& here = here_of(world);
      if (world.rank() == 1) {
        here.expect_from_outside(expected);
        std::uint64_t const until = here.connection().now() + 1'000'000;  // a hundred intervals of virtual time
        here.wait(sheaf::detail::wait_kind::collective, [&] { return here.connection().now() >= until; });
        here.expect_from_outside(-expected);
      }
      sheaf::barrier(world);
    });
    if (expected != 0) {
      EXPECT_EQ(text, "it ended well");
    } else {
      expect_in("deadlock: all ", text);
    }
  }
}

TEST_P(watchdog, one_location_alone_can_stand_still) {
  std::string const text = end_of(job_over(GetParam(), 1), [] { sheaf::wait_for_request(); });
  expect_in("location 0 waits in wait_for_request, called at ", text);
}

TEST_P(watchdog, a_condition_that_nothing_makes_true_is_a_deadlock) {
  std::string const text = end_of(job_over(GetParam(), 2), [](team const& world) {
    if (world.rank() == 1) sheaf::wait_until([] { return false; });
  });
  expect_in("location 1 waits in wait_until, called at ", text);
  expect_in("for its condition, which is false", text);
}

/// What a job ends with whose location 0 sends where location 1 takes nothing.
std::string end_without_room(way const& w, std::function<void(sheaf_test::stubborn&)> const& send) {
  sheaf::options o = job_over(w, 2);
  o.ring_slots = o.window = 1;
  o.buffer_bytes = o.first_flush_bytes = 128;
  testing::internal::CaptureStderr();
  std::string const text = end_of(o, [&](team const& world) {
    if (world.rank() == 1) return sheaf::wait_for_request();
    sheaf_test::stubborn s(world);
    for (int i = 0; i < 1000; ++i) send(s);
  });
  testing::internal::GetCapturedStderr();
  return text;
}

TEST_P(watchdog, a_program_without_room_for_its_requests_stands_still) {
  std::string const text =
      end_without_room(GetParam(), [](auto& s) { s.template async<&sheaf_test::stubborn::mark>(1); });
  expect_in("location 0 waits in sending a request, called at " __FILE__ ":", text);
  expect_in(", for room at location 1, which has not executed what it was sent; the request is to ", text);
  expect_in("the request is to sheaf_test::stubborn::mark on object 1 of team 0\n", text);
  expect_in("location 1 holds ", text);
}

struct int_cell {
  int value = 0;
  void set(int v) { value = v; }
};

struct loud : sheaf::distributed<loud> {
  explicit loud(sheaf::team const& t) : distributed(t) {}
  void say(int) {}
  void say(double) {}
};

/// Whatever converts to a destination is one, as where it was a number.
static_assert(std::is_convertible_v<std::atomic<std::uint32_t>&, sheaf::located<std::uint64_t>>);
static_assert(std::is_convertible_v<sheaf::traffic volatile&, sheaf::located<sheaf::traffic>>);
static_assert(!std::is_convertible_v<std::string, sheaf::located<std::uint64_t>>);

/// `issue` sends in one line, the one that it sets `line` to, until there is no room.
template <class Issue>
void expect_line(way const& w, char const* form, unsigned const& line, Issue issue) {
  SCOPED_TRACE(form);
  std::string const text = end_without_room(w, issue);
  std::string const place = __FILE__ ":" + std::to_string(line) + ", for room at location 1";
  expect_in(("location 0 waits in sending a request, called at " + place).c_str(), text);
}

TEST_P(watchdog, a_request_that_waits_for_room_says_where_it_was_issued) {
  using sheaf_test::stubborn;
  unsigned line = 0;
  auto const expect = [&](char const* form, auto issue) { expect_line(GetParam(), form, line, issue); };
  expect("async", [&](auto& s) { line = __LINE__, s.template async<&stubborn::mark>(1); });
  expect("pointer", [&](auto& s) { line = __LINE__, s.async(1, &stubborn::mark); });
  expect("distributed", [&](auto& s) { line = __LINE__, s.async(1, [](auto& o) { o.mark(); }); });
  expect("opaque", [&](auto& s) { line = __LINE__, s.template ask<&stubborn::count>(1); });
  expect("large question", [&](auto& s) {
    while (s.template try_async<&stubborn::mark>(1)) {
    }
    std::array<char, 200> const much{};
    auto const take = [](auto&, std::array<char, 200> const&) { return 0; };
    line = __LINE__, s.sync(1, take, much);
  });
  expect("varying size", [&](auto& s) {
    auto const take = [](auto&, std::string const&) {};
    line = __LINE__, s.async(1, take, std::string("text"));
  });
  expect("broadcast in order",
         [&](auto& s) { line = __LINE__, s.template async<&stubborn::mark>(sheaf::in_pair_order(sheaf::to_others)); });
}

TEST_P(watchdog, so_does_one_through_something_that_stands_for_an_object) {
  using sheaf_test::stubborn;
  unsigned line = 0;
  auto const expect = [&](char const* form, auto issue) { expect_line(GetParam(), form, line, issue); };
  expect("bound", [&](auto& s) {
    auto const mark = s.template bind<&stubborn::mark>();
    while (true) line = __LINE__, mark(1);
  });
  expect("bound pointer", [&](auto& s) {
    auto const mark = s.bind(&stubborn::mark);
    while (true) line = __LINE__, mark(1);
  });
  expect("window", [&](auto& s) {
    sheaf::reply_window<int> counts(s.members(), 1000);
    for (std::uint32_t i = 0;; ++i) line = __LINE__, s.template ask_into<&stubborn::count>(1, counts, i);
  });
  expect("published", [&](auto& s) {
    s.template async<&stubborn::mark>(1);  // what comes behind a held request waits, too
    sheaf::published<stubborn> const mine(s);
    sheaf::published_handle<stubborn> const theirs(sheaf::location_id{1}, handle_of(mine).tag());
    while (true) line = __LINE__, sheaf::world().async<&stubborn::mark>(theirs);
  });
  expect("vector", [&](auto& s) {
    sheaf::vector<int> elements(s.members(), 2);
    while (true) line = __LINE__, elements[1] = 5;
  });
  expect("migrating", [&](auto& s) {
    sheaf::migrating<int_cell> cells(s.members());
    while (true) line = __LINE__, cells.async<&int_cell::set>(sheaf::object_id(1, 1), 5);
  });
}

TEST_P(watchdog, a_broadcast_without_room_stands_still) {
  unsigned line = 0;
  auto const expect_line = [&](auto broadcast, char const* request) {
    std::string const text = end_without_room(GetParam(), broadcast);
    std::string const called = "location 0 waits in async, called at " __FILE__ ":" + std::to_string(line);
    expect_in((called + ", for room at location 1, which has not executed what it was sent; " + request).c_str(), text);
  };
  expect_line([&](auto& s) { line = __LINE__, s.template async<&sheaf_test::stubborn::mark>(sheaf::to_others); },
              "the request is to sheaf_test::stubborn::mark on object 1 of team 0\n");
  expect_line([&](auto& s) { line = __LINE__, s.async(sheaf::to_all, [](auto& o) { o.mark(); }); },
              "the request is to a callable on sheaf_test::stubborn on object 1 of team 0\n");
}

/// They take from the reserve, as nothing comes before their answers.
TEST_P(watchdog, a_sync_to_a_pair_without_room_says_where_it_was_called) {
  sheaf::options o = job_over(GetParam(), 2);
  o.buffer_bytes = 256;
  o.window = o.ring_slots = 3;
  unsigned line = 0;
  testing::internal::CaptureStderr();
  std::string const text = end_of(o, [&](team const& world) {
    if (world.rank() == 1) return sheaf::wait_for_request();
    sheaf_test::stubborn s(world);
    for (int i = 0; i < 10; ++i) {
      s.template async<&sheaf_test::stubborn::mark>(1);
      here_of(world).request_box(1).flush();
    }
    line = __LINE__, s.template sync<&sheaf_test::stubborn::count>(1);
  });
  testing::internal::GetCapturedStderr();
  std::string const called = "location 0 waits in sync, called at " __FILE__ ":" + std::to_string(line);
  expect_in((called + ", for location 1's answer to sheaf_test::stubborn::count on object 1 of team 0").c_str(), text);
}

/// Entries that were sent and not received, and whose credit is awaited.
TEST_P(watchdog, a_program_without_room_behind_a_held_request_stands_still) {
  sheaf::options o = job_over(GetParam(), 2);
  o.buffer_bytes = 256;
  o.window = o.ring_slots = 3;
  testing::internal::CaptureStderr();
  std::string const text = end_of(o, [](team const& world) {
    std::unique_ptr<sheaf_test::stubborn> only_here;
    if (world.rank() == 0) only_here = std::make_unique<sheaf_test::stubborn>(world);
    for (int i = 0; i < 1000 && world.rank() == 0; ++i) only_here->async<&sheaf_test::stubborn::mark>(1);
    sheaf::fence(world);
  });
  testing::internal::GetCapturedStderr();
  expect_in("location 0 waits in sending a request, called at " __FILE__ ":", text);
  expect_in("location 1 holds ", text);
}

TEST(watchdog_off, with_an_interval_of_0_nobody_looks) {
  sheaf::options o = job_over({"", transport_kind::sim, 0}, 2);
  expect_in("deadlock", end_of(o, [](team const& world) {
              if (world.rank() == 0) sheaf::wait_for_request();
            }));
  EXPECT_EQ(o.resolved().watchdog_ms, 0u);
  o.transport = transport_kind::thread;
  EXPECT_EQ(o.resolved().watchdog_ms, 0u);
  o.watchdog_ms = o.of_transport;
  EXPECT_EQ(o.resolved().watchdog_ms, 2000u);
}

TEST(watchdog_swallowed, a_program_that_catches_it_gets_it_again) {
  int caught = 0;
  end_of(job_over({"", transport_kind::sim, 1}, 2), [&](team const& world) {
    for (int i = 0; i < 2 && world.rank() == 0; ++i) {
      try {
        sheaf::wait_for_request();
      } catch (sheaf::deadlock const&) {
        ++caught;
      }
    }
  });
  EXPECT_EQ(caught, 2);
}

}  // namespace
