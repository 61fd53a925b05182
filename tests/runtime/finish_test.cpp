// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "runtime/job.hpp"
#include "runtime/job_end.hpp"

namespace {

using sheaf::location_id;
using sheaf::detail::check_finished;
using sheaf::detail::finish_watch;
using sheaf::detail::leftovers;
using std::chrono::milliseconds;

class finish : public sheaf_test::on_all {};
INSTANTIATE_TEST_SUITE_P(all, finish, testing::ValuesIn(sheaf_test::all_settings()), sheaf_test::test_name);

/// The text of the error that ends the check; "" where there is none.
std::string complaint(sheaf::team const& world) {
  try {
    check_finished(world);
  } catch (sheaf::error const& e) {
    return e.what();
  }
  return "";
}

TEST_P(finish, nothing_is_left_after_a_fence) {
  run([](sheaf::team const& world) {
    sheaf::fence(world);
    EXPECT_EQ(leftovers(here_of(world)), "");
    EXPECT_EQ(complaint(world), "");
  });
}

TEST_P(finish, requests_that_were_not_executed_are_told_on_every_location) {
  run([](sheaf::team const& world) {
    sheaf::fence(world);
    bool const last = world.rank() + 1 == world.size();
    if (last) state_of(world).sent += 3;
    std::string const text = complaint(world);
    EXPECT_EQ(text.find("after the last fence all locations have sent "), 0u) << text;
    EXPECT_NE(text.find(" requests and executed "), std::string::npos) << text;
    if (last) state_of(world).sent -= 3;
    EXPECT_EQ(complaint(world), "");
  });
}

TEST_P(finish, unanswered_requests_are_told_with_their_team) {
  run([](sheaf::team const& world) {
    sheaf::fence(world);
    ++state_of(world).awaited;
    EXPECT_EQ(leftovers(here_of(world)), "1 unanswered requests of team 0");
    EXPECT_EQ(complaint(world).find("after the last fence location " + std::to_string(world.rank()) +
                                    " still has 1 unanswered requests of team 0. This is a bug in Sheaf"),
              0u);
    --state_of(world).awaited;
  });
}

TEST_P(finish, what_is_not_sent_and_what_has_not_run_are_told) {
  run([](sheaf::team const& world) {
    sheaf::fence(world);
    sheaf::detail::location& here = here_of(world);
    here.in().defer([](void*) {}, nullptr);
    EXPECT_EQ(leftovers(here), "continuations that have not run");
    while (here.step()) {
    }
    EXPECT_EQ(leftovers(here), "");
  });
}

/// A watch, and what it says when it is late.
struct watched {
  explicit watched(milliseconds limit)
      : said(promise.get_future()), watch(limit, [this](std::string const& text) { promise.set_value(text); }) {}
  std::promise<std::string> promise;
  std::future<std::string> said;
  finish_watch watch;
};

TEST(finish_watch, says_nothing_before_all_work_of_a_location_is_done) {
  watched w(milliseconds(1));
  w.watch.begun(location_id{0});
  EXPECT_EQ(w.said.wait_for(milliseconds(30)), std::future_status::timeout) << "a program may compute for ever";
  EXPECT_FALSE(w.watch.overdue());
}

TEST(finish_watch, names_the_locations_that_are_missing) {
  watched w(milliseconds(50));
  for (std::uint32_t i = 4; i < 8; ++i) w.watch.begun(location_id{i});
  w.watch.done(location_id{5});
  w.watch.left(location_id{5});
  w.watch.done(location_id{7});
  EXPECT_EQ(w.said.get(),
            "locations 4, 6 have not come out of the last fence; location 7 has not come out of its end in Sheaf");
  EXPECT_TRUE(w.watch.overdue());
}

TEST(finish_watch, says_what_the_process_does_when_all_its_locations_have_ended) {
  watched w(milliseconds(50));
  w.watch.begun(location_id{0});
  w.watch.done(location_id{0});
  w.watch.left(location_id{0});
  EXPECT_EQ(w.watch.report(), "all its locations have ended, and it waits for the threads of its locations to end");
  w.watch.ending("waits for somebody");
  EXPECT_EQ(w.said.get(), "all its locations have ended, and it waits for somebody");
}

TEST(finish_watch, zero_is_no_limit) {
  watched w(milliseconds(0));
  w.watch.begun(location_id{0});
  w.watch.done(location_id{0});
  EXPECT_EQ(w.said.wait_for(milliseconds(30)), std::future_status::timeout);
}

TEST(finish_watch, one_that_ends_in_time_says_nothing_and_its_end_waits_for_nothing) {
  auto const began = std::chrono::steady_clock::now();
  {
    watched w(std::chrono::hours(1));
    w.watch.begun(location_id{0});
    w.watch.done(location_id{0});
    w.watch.left(location_id{0});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::minutes(1));
}

}  // namespace
