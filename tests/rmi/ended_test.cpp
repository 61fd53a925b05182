// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What the program has kept when sheaf::run has returned.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/text_of.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/method_traits.hpp"
#include "sheaf/rmi/published.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/runtime/attached_thread.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/run.hpp"

namespace {

using sheaf::team;

class counter : public sheaf::distributed<counter> {
 public:
  explicit counter(sheaf::team const& on) : distributed(on) {}
  void add(int n) { sum += n; }
  void at_once(int n) { sum += n; }
  [[nodiscard]] int get() const { return sum; }
  [[nodiscard]] int twice(int n) const { return 2 * n; }
  [[nodiscard]] int fails() const { throw std::runtime_error("as it should"); }
  int sum = 0;
};

}  // namespace

template <>
inline constexpr bool sheaf::at_once<&counter::at_once> = true;

namespace {

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
  std::string const outside =
      "team 0 was used outside of sheaf::run, or by a thread that is not attached; a team is of use on the location "
      "that got it";
  EXPECT_EQ(kept->size(), 1u);
  expect_error([&] { barrier(*kept); }, outside);
  expect_error([&] { fence(*kept); }, outside);
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
    expect_error([&] { barrier(*kept); }, "team 0 was used by another location, or in another job");
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
  expect_error([&] { barrier(kept->members()); }, "team 0 was used outside of sheaf::run");
  kept.reset();
}

TEST_P(ended, a_call_of_an_object_says_what_to_do) {
  std::unique_ptr<counter> kept;
  run([&](team world) { kept = std::make_unique<counter>(world); });
  std::string const says =
      "an object of team 0 was called after sheaf::run had returned; its last call must come before";
  expect_error([&] { kept->async<&counter::add>(0, 1); }, says + " (called at ");
  expect_error([&] { kept->async<&counter::add>(0, 1); }, "ended_test.cpp:" + std::to_string(__LINE__) + ")");
  expect_error([&] { kept->async(7, &counter::add, 1); }, says);
  expect_error([&] { kept->sync<&counter::get>(0); }, says);
  expect_error([&] { kept->sync(0, &counter::get); }, says);
  expect_error([&] { static_cast<void>(kept->ask<&counter::get>(0)); }, says);
  expect_error([&] { kept->async<&counter::at_once>(0, 1); }, says);
  sheaf::handle<counter> const named = handle_of(*kept);
  expect_error([&] { named.async<&counter::add>(0, 1); },
               "async was called outside of sheaf::run, or by a thread that is not attached (called at ");
}

TEST_P(ended, a_future_has_its_result) {
  std::vector<sheaf::future<int>> kept;
  run([&](team world) {
    counter c(world);
    for (int i = 0; i < 100; ++i) kept.push_back(c.ask<&counter::twice>(0, i));
    sheaf::fence(world);
    kept.resize(70);  // others of the same memory have gone
  });
  for (int i = 0; i < 70; ++i) EXPECT_EQ(kept[static_cast<std::size_t>(i)].get(), 2 * i);
}

TEST_P(ended, a_future_without_a_result_says_so) {
  sheaf::future<int> kept;
  EXPECT_THROW(run([&](team world) {
                 counter c(world);
                 kept = c.ask<&counter::get>(0);
                 throw std::runtime_error("the end");
               }),
               std::exception);
  EXPECT_FALSE(kept.ready());
  expect_error([&] { kept.get(); },
               "future::get was called outside of sheaf::run, or by a thread that is not attached (called at ");
}

TEST_P(ended, a_future_that_nobody_asks_for_its_error_can_be_destroyed) {
  auto kept = std::make_unique<sheaf::future<int>>();
  run([&](team world) {
    counter c(world);
    *kept = c.ask<&counter::fails>(0);
    sheaf::fence(world);
  });
  EXPECT_TRUE(kept->ready());
  kept.reset();
}

TEST(ended_beside_threads, futures_of_an_attached_thread_can_be_used_and_destroyed) {
  sheaf::options settings = settings_of(sheaf::transport_kind::thread);
  settings.progress = sheaf::progress_kind::shared;
  std::vector<sheaf::future<int>> kept;
  EXPECT_THROW(sheaf::run(settings,
                          [&](team world) {
                            counter c(world);
                            std::thread([&] {
                              sheaf::attached_thread const self(world);
                              kept.push_back(c.ask<&counter::twice>(0, 21));
                              kept.push_back(c.ask<&counter::fails>(0));
                            }).join();
                            fence(world);
                            std::thread([&] {
                              sheaf::attached_thread const self(world);
                              kept.push_back(c.ask<&counter::get>(0));
                            }).join();
                            throw std::runtime_error("the end");
                          }),
               sheaf::job_failed);
  EXPECT_EQ(kept[0].get(), 42);
  EXPECT_TRUE(kept[1].ready());
  EXPECT_FALSE(kept[2].ready());
  kept.clear();
}

TEST_P(ended, a_window_and_a_published_object_can_be_destroyed) {
  std::unique_ptr<sheaf::reply_window<int>> window;
  std::unique_ptr<sheaf::published<int>> published;
  int shown = 0;
  sheaf::handle<counter> named;
  std::unique_ptr<counter> kept;
  run([&](team world) {
    counter c(world);
    named = handle_of(c);
    kept = std::make_unique<counter>(world);
    window = std::make_unique<sheaf::reply_window<int>>(world, 2);
    c.ask_into<&counter::twice>(0, *window, 1, 21);
    window->wait();
    published = std::make_unique<sheaf::published<int>>(shown);
  });
  EXPECT_EQ((*window)[1], 42);
  std::string const outside = "team 0 was used outside of sheaf::run";
  expect_error([&] { window->wait(); }, outside);
  expect_error([&] { named.ask_into<&counter::twice>(0, *window, 0, 21); },
               "ask_into was called outside of sheaf::run");
  expect_error([&] { named.ask_into(0, *window, 0, &counter::twice, 21); },
               "ask_into was called outside of sheaf::run");
  expect_error([&] { kept->ask_into<&counter::twice>(0, *window, 0, 21); }, "was called after sheaf::run had returned");
  expect_error([&] { kept->ask_into<&counter::twice>(0, *window, 2, 21); }, outside);
  window.reset();
  published.reset();
}

}  // namespace
