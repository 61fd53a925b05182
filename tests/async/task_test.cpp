// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Coroutines without any communication: what layers above do for futures is done here by hand.
#include "sheaf/async/task.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "async/by_hand.hpp"
#include "harness/text_of.hpp"

namespace {

using sheaf::future;
using sheaf::task;
using sheaf::when_all;
using sheaf_test::due;
using sheaf_test::kept;
using sheaf_test::promise;
using sheaf_test::text_of;
using sheaf_test::work;

/// Counts coroutines' variables that live.
struct tracked {
  static inline int alive = 0;
  tracked() { ++alive; }
  tracked(tracked const&) { ++alive; }
  tracked& operator=(tracked const&) = default;
  ~tracked() { --alive; }
};

struct task_test : sheaf_test::by_hand {
  ~task_test() override {
    EXPECT_EQ(tracked::alive, 0);
    EXPECT_TRUE(due.empty());
  }
  /// The next continuation alone.
  static void turn_one() {
    auto const next = due.front();
    due.pop_front();
    next.run(next.context);
  }
};

task<int> plus(future<int> f, int v) {
  tracked const t;
  co_return co_await f + v;
}

task<int> twice(task<int> of) {
  tracked const t;
  int const v = co_await of;
  co_return 2 * v;
}

TEST_F(task_test, runs_in_its_caller_up_to_where_it_suspends) {
  promise<int> p;
  std::vector<int> steps;
  auto const walk = [](future<int> f, std::vector<int>& to) -> task<> {
    to.push_back(1);
    to.push_back(co_await f);
    to.push_back(3);
  };
  auto t = walk(p.get(), steps);
  EXPECT_EQ(steps, (std::vector{1}));
  p.state->set_value(2);
  EXPECT_EQ(steps, (std::vector{1})) << "it went on in the middle of something else";
  EXPECT_FALSE(t.ready());
  work();
  EXPECT_EQ(steps, (std::vector{1, 2, 3}));
  EXPECT_TRUE(t.ready());
  t.get();
  EXPECT_FALSE(t.valid());
}

TEST_F(task_test, does_not_suspend_for_what_is_ready) {
  promise<int> p;
  p.state->set_value(20);
  auto t = plus(p.get(), 1);
  EXPECT_TRUE(t.ready());
  EXPECT_EQ(t.get(), 21);
  EXPECT_EQ(sheaf_test::waits, 0);
}

TEST_F(task_test, get_waits) {
  static promise<int>* asked = nullptr;
  promise<int> p;
  asked = &p;
  sheaf_test::on_wait = [] {
    asked->state->set_value(1);
    work();
  };
  EXPECT_EQ(plus(p.get(), 1).get(), 2);
  EXPECT_EQ(sheaf_test::waits, 1);
}

TEST_F(task_test, a_used_or_empty_one_is_refused) {
  task<int> none;
  EXPECT_FALSE(none.valid());
  EXPECT_NE(text_of<sheaf::usage_error>([&] { none.get(); }).find("used already or is empty"), std::string::npos);
  EXPECT_THROW(static_cast<void>(none.ready()), sheaf::usage_error);
  promise<int> p;
  p.state->set_value(1);
  auto t = plus(p.get(), 1);
  t.get();
  EXPECT_THROW(t.get(), sheaf::usage_error);
  EXPECT_THROW(twice(std::move(none)).get(), sheaf::usage_error);
  EXPECT_THROW(plus(future<int>(), 1).get(), sheaf::usage_error);
}

TEST_F(task_test, tasks_await_tasks) {
  promise<int> p;
  auto t = twice(twice(plus(p.get(), 1)));
  p.state->set_value(4);
  work();
  EXPECT_EQ(t.get(), 20);
}

/// However deep, ends do not nest on the stack.
TEST_F(task_test, a_long_chain_ends_from_the_inside) {
  struct chain {
    static task<int> of(int depth, future<int> f) {
      if (depth == 0) co_return co_await f;
      co_return 1 + co_await of(depth - 1, std::move(f));
    }
  };
  promise<int> p;
  auto t = chain::of(2000, p.get());
  p.state->set_value(7);
  work();
  EXPECT_EQ(t.get(), 2007);
}

TEST_F(task_test, exceptions_keep_their_type_between_tasks) {
  auto const fails = [](future<int> f) -> task<int> {
    tracked const t;
    int const v = co_await f;
    if (v == 3) throw std::out_of_range("three");
    co_return v;
  };
  promise<int> p;
  auto t = twice(fails(p.get()));
  p.state->set_value(3);
  work();
  EXPECT_EQ(text_of<std::out_of_range>([&] { t.get(); }), "three");
  promise<int> at_once;
  at_once.state->set_value(3);
  EXPECT_THROW(twice(fails(at_once.get())).get(), std::out_of_range);
}

TEST_F(task_test, a_futures_error_is_thrown_in_the_coroutine) {
  promise<int> p;
  std::string seen;
  auto const careful = [](future<int> f, std::string& text) -> task<int> {
    try {
      co_return co_await f;
    } catch (sheaf::remote_error const& e) {
      text = e.what();
    }
    co_return -1;
  };
  auto t = careful(p.get(), seen);
  promise<int> other;
  auto u = plus(other.get(), 1);
  p.state->set_error("it broke");
  other.state->set_error("it broke, too");
  work();
  EXPECT_EQ(t.get(), -1);
  EXPECT_EQ(seen, "it broke");
  EXPECT_EQ(text_of<sheaf::remote_error>([&] { u.get(); }), "it broke, too");
}

TEST_F(task_test, results_of_all_kinds) {
  auto const pointer = []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(5); };
  EXPECT_EQ(*pointer().get(), 5);
  auto const text = [](future<int> f) -> task<std::string> { co_return std::string(co_await f, 'a'); };
  promise<int> p;
  auto t = text(p.get());
  p.state->set_value(100);
  work();
  EXPECT_EQ(t.get(), std::string(100, 'a'));
  auto const braces = []() -> task<std::pair<int, int>> { co_return {1, 2}; };
  EXPECT_EQ(braces().get(), std::pair(1, 2));
}

// ---- ends before the end -------------------------------------------------------------------------------------------

TEST_F(task_test, destroyed_while_it_waits) {
  promise<int> p;
  {
    auto t = twice(twice(plus(p.get(), 1)));
    EXPECT_EQ(tracked::alive, 3);
  }
  EXPECT_EQ(tracked::alive, 0);
  p.state->set_value(1);
  EXPECT_TRUE(due.empty());
}

TEST_F(task_test, destroyed_when_its_turn_is_due) {
  promise<int> p;
  {
    auto t = twice(plus(p.get(), 1));
    p.state->set_value(1);
    EXPECT_EQ(due.size(), 1u);
  }
  EXPECT_TRUE(due.empty());
  promise<int> q;
  auto t = twice(plus(q.get(), 1));
  q.state->set_value(1);
  turn_one();
  EXPECT_EQ(due.size(), 1u) << "the inner one has ended, the outer one's turn is due";
  t = {};
  EXPECT_TRUE(due.empty());
}

TEST_F(task_test, the_first_error_that_nobody_asks_for_is_told) {
  promise<int> p;
  {
    auto t = plus(p.get(), 1);
    p.state->set_error("lost");
    turn_one();
    EXPECT_TRUE(t.ready());
  }
  EXPECT_FALSE(kept.empty());
  EXPECT_EQ(text_of<sheaf::detail::unseen_error>([] { work(); }), "lost");
  {
    promise<int> q;
    auto t = plus(q.get(), 1);
    q.state->set_error("lost at the end of a job");
    turn_one();
  }
  kept.end_those_of(nullptr);
  EXPECT_TRUE(due.empty());
}

TEST_F(task_test, may_be_destroyed_by_its_own_coroutine) {
  std::unique_ptr<task<>> own;
  promise<int> first, second;
  int passed = 0;
  auto const suicide = [](std::unique_ptr<task<>>& self, future<int> a, future<int> b, int& at) -> task<> {
    tracked const t;
    co_await a;
    self.reset();
    at = 1;
    co_await b;
    at = 2;
  };
  own = std::make_unique<task<>>(suicide(own, first.get(), second.get(), passed));
  first.state->set_value(1);
  work();
  EXPECT_EQ(passed, 1);
  EXPECT_EQ(tracked::alive, 0);
  second.state->set_value(1);
  work();
  EXPECT_EQ(passed, 1);
}

TEST_F(task_test, what_ends_the_job_passes_through) {
  auto const aborted = [](future<int> f) -> task<int> {
    tracked const t;
    if (co_await f == 1) throw sheaf::job_aborted("the job is over");
    co_return 1;
  };
  promise<int> p;
  {
    auto t = twice(aborted(p.get()));
    p.state->set_value(1);
    EXPECT_EQ(text_of<sheaf::job_aborted>([] { work(); }), "the job is over");
  }
  EXPECT_EQ(tracked::alive, 0);
  due.clear();
}

/// Its variables are gone before anybody is told.
TEST_F(task_test, ends_before_it_is_told) {
  promise<int> p;
  int alive_when_told = -1;
  auto const look = [](task<int> t, int& alive) -> task<> {
    co_await t;
    alive = tracked::alive;
  };
  auto t = look(plus(p.get(), 1), alive_when_told);
  p.state->set_value(1);
  work();
  EXPECT_EQ(alive_when_told, 0);
  t.get();
}

// ---- as a future ---------------------------------------------------------------------------------------------------

/// Gives a task its services where there is no job.
task<int> in_a_job(promise<int>& p) {
  auto t = plus(p.get(), 1);
  p.state->set_value(4);
  return t;
}

TEST_F(task_test, becomes_a_future) {
  promise<int> p, q;
  future<int> before = plus(p.get(), 1);
  EXPECT_FALSE(before.ready());
  p.state->set_value(1);
  work();
  EXPECT_EQ(before.get(), 2);
  auto ended = in_a_job(q);
  work();
  future<int> after = std::move(ended);
  EXPECT_FALSE(ended.valid());
  EXPECT_TRUE(after.ready());
  EXPECT_EQ(after.get(), 5);
  EXPECT_NE(text_of<sheaf::usage_error>([] {
              auto const at_once = []() -> task<int> { co_return 1; };
              static_cast<void>(future<int>(at_once()));
            }).find("outside of sheaf::run"),
            std::string::npos);
}

TEST_F(task_test, goes_on_when_its_future_is_dropped) {
  promise<int> p;
  bool done = false;
  auto const mark = [](future<int> f, bool& to) -> task<> {
    tracked const t;
    co_await f;
    to = true;
    throw std::runtime_error("at the end");
  };
  static_cast<void>(future<void>(mark(p.get(), done)));
  EXPECT_FALSE(kept.empty());
  p.state->set_value(1);
  EXPECT_EQ(text_of<sheaf::detail::unseen_error>([] { work(); }), "at the end");
  EXPECT_TRUE(done);
}

TEST_F(task_test, the_end_of_a_job_destroys_what_nobody_owns) {
  promise<int> p, q;
  future<int> f = plus(p.get(), 1);
  static_cast<void>(future<int>(twice(plus(q.get(), 1))));
  q.state->set_value(1);
  EXPECT_EQ(tracked::alive, 3);
  kept.end_those_of(nullptr);
  EXPECT_EQ(tracked::alive, 0);
  EXPECT_FALSE(f.ready());
}

// ---- when_all ------------------------------------------------------------------------------------------------------

TEST_F(task_test, when_all_gives_a_tuple) {
  promise<int> a;
  promise<std::string> b;
  promise<void> c;
  auto t = when_all(plus(a.get(), 1), b.get(), c.get());
  b.state->set_value("b");
  c.state->set_value();
  work();
  EXPECT_FALSE(t.ready());
  a.state->set_value(1);
  work();
  auto const [x, y, nothing] = t.get();
  EXPECT_EQ(x, 2);
  EXPECT_EQ(y, "b");
}

TEST_F(task_test, when_all_of_many) {
  std::vector<promise<int>> all(10);
  std::vector<future<int>> futures;
  for (auto& p : all) futures.push_back(p.get());
  auto t = when_all(std::move(futures));
  for (int i = 9; i >= 0; --i) all[static_cast<std::size_t>(i)].state->set_value(i);
  work();
  EXPECT_EQ(t.get(), (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));

  promise<int> one;
  std::vector<task<>> tasks;
  auto const wait = [](future<int> f) -> task<> { co_await f; };
  tasks.push_back(wait(one.get()));
  auto v = when_all(std::move(tasks));
  EXPECT_FALSE(v.ready());
  one.state->set_value(1);
  work();
  v.get();
  EXPECT_TRUE(when_all(std::vector<future<int>>()).get().empty());
}

TEST_F(task_test, when_all_throws_the_first_error_after_all_have_ended) {
  promise<int> a, b, c;
  auto t = when_all(a.get(), b.get(), plus(c.get(), 1));
  c.state->set_error("third");
  b.state->set_error("second");
  work();
  EXPECT_FALSE(t.ready());
  a.state->set_value(1);
  work();
  EXPECT_EQ(text_of<sheaf::remote_error>([&] { t.get(); }), "second");
  EXPECT_EQ(text_of<sheaf::detail::unseen_error>([] { work(); }), "third");
}

}  // namespace
