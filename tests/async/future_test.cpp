// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Futures without any communication: what layers above put into a state is done here by hand.
#include "sheaf/async/future.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "async/by_hand.hpp"
#include "harness/text_of.hpp"

namespace {

using sheaf::future;
using sheaf_test::due;
using sheaf_test::on_wait;
using sheaf_test::promise;
using sheaf_test::waits;
using sheaf_test::work;

struct future_test : sheaf_test::by_hand {};

template <class F>
std::string remote_text(F f) {
  return sheaf_test::text_of<sheaf::remote_error>(f);
}

TEST_F(future_test, a_default_one_belongs_to_no_request) {
  future<int> f;
  EXPECT_FALSE(f.valid());
  EXPECT_THROW(f.get(), sheaf::usage_error);
  EXPECT_THROW(static_cast<void>(f.ready()), sheaf::usage_error);
  EXPECT_THROW(static_cast<void>(f.then([](int) {})), sheaf::usage_error);
}

TEST_F(future_test, gives_its_value_once_without_a_wait_when_it_is_there) {
  promise<std::string> p;
  auto f = p.get();
  int const before = sheaf_test::polls;
  EXPECT_FALSE(f.ready());
  EXPECT_EQ(sheaf_test::polls, before + 1);
  p.state->set_value("text");
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(sheaf_test::polls, before + 1);
  EXPECT_EQ(f.get(), "text");
  EXPECT_EQ(waits, 0);
  EXPECT_FALSE(f.valid());
  EXPECT_THROW(f.get(), sheaf::usage_error);
}

TEST_F(future_test, waits_for_what_is_not_there) {
  static promise<int>* filled;
  promise<int> p;
  filled = &p;
  on_wait = [] { filled->state->set_value(7); };
  EXPECT_EQ(p.get().get(), 7);
  EXPECT_EQ(waits, 1);
}

TEST_F(future_test, carries_values_that_only_move) {
  promise<std::unique_ptr<int>> p;
  auto f = p.get();
  p.state->set_value(std::make_unique<int>(3));
  auto g = std::move(f);
  EXPECT_FALSE(f.valid());
  EXPECT_EQ(*g.get(), 3);
}

TEST_F(future_test, throws_the_methods_error) {
  promise<int> p;
  auto f = p.get();
  p.state->set_error("it threw");
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(remote_text([&] { f.get(); }), "it threw");
  EXPECT_FALSE(f.valid());
}

TEST_F(future_test, a_continuation_runs_in_turn_and_never_at_once) {
  promise<int> p;
  int seen = 0;
  auto f = p.get();
  auto g = f.then([&](int v) { return seen = v; });
  EXPECT_FALSE(f.valid());
  p.state->set_value(5);
  EXPECT_EQ(seen, 0);
  EXPECT_FALSE(g.ready());
  work();
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(g.get(), 5);
}

TEST_F(future_test, a_continuation_of_a_value_that_is_there_has_its_turn_too) {
  promise<int> p;
  p.state->set_value(5);
  int seen = 0;
  auto g = p.get().then([&](int v) { seen = v; });
  EXPECT_EQ(seen, 0);
  EXPECT_EQ(due.size(), 1u);
  work();
  EXPECT_EQ(seen, 5);
  g.get();
}

TEST_F(future_test, continuations_form_chains_with_results_of_any_type) {
  promise<void> p;
  auto f = p.get().then([] { return 3; }).then([](int v) { return std::string(static_cast<unsigned>(v), 'x'); });
  p.state->set_value();
  work();
  EXPECT_EQ(f.get(), "xxx");
}

TEST_F(future_test, an_error_passes_by_continuations) {
  promise<int> p;
  bool called = false;
  auto f = p.get().then([&](int) { called = true; }).then([&] { called = true; });
  p.state->set_error("at the source");
  work();
  EXPECT_FALSE(called);
  EXPECT_EQ(remote_text([&] { f.get(); }), "at the source");
}

TEST_F(future_test, what_a_continuation_throws_is_the_error_of_what_follows) {
  promise<int> p;
  auto f = p.get().then([](int v) -> int { throw std::runtime_error("here " + std::to_string(v)); });
  p.state->set_value(2);
  work();
  EXPECT_EQ(remote_text([&] { f.get(); }), "here 2");
}

TEST_F(future_test, even_if_it_is_no_standard_exception) {
  promise<int> p;
  auto f = p.get().then([](int) { throw 5; });
  p.state->set_value(2);
  EXPECT_NO_THROW(work());
  EXPECT_EQ(remote_text([&] { f.get(); }), "an unknown exception");
}

TEST_F(future_test, the_end_of_the_job_goes_through_a_continuation) {
  promise<int> p;
  auto f = p.get().then([](int) { throw sheaf::job_aborted("over"); });
  p.state->set_value(2);
  EXPECT_THROW(work(), sheaf::job_aborted);
}

TEST_F(future_test, a_dropped_one_still_has_its_continuation_called) {
  auto p = std::make_unique<promise<int>>();
  auto const alive = std::make_shared<int>(0);
  static_cast<void>(p->get().then([alive](int v) { *alive = v; }));
  p->state->set_value(9);
  p.reset();
  EXPECT_EQ(*alive, 0);
  work();
  EXPECT_EQ(*alive, 9);
  EXPECT_EQ(alive.use_count(), 1) << "the continuation is gone";
}

/// What the due continuations throw, which the layer above keeps.
std::string unseen_text(std::uint64_t const* counted_by = nullptr) {
  try {
    work();
  } catch (sheaf::detail::unseen_error const& e) {
    EXPECT_EQ(e.unanswered, counted_by) << "where it belongs";
    return e.what();
  }
  return "nothing is unseen";
}

TEST_F(future_test, an_error_of_a_dropped_one_becomes_a_continuation_that_throws) {
  static std::uint64_t count = 0;
  for (bool const drop_first : {true, false}) {
    auto p = std::make_unique<promise<int>>();
    p->state->unanswered = &count;
    auto f = std::make_unique<future<int>>(p->get());
    if (drop_first) f.reset();
    p->state->set_error("nobody asks");
    p.reset();
    f.reset();
    ASSERT_EQ(due.size(), 1u);
    EXPECT_EQ(unseen_text(&count), "nobody asks");
    EXPECT_TRUE(due.empty());
  }
}

TEST_F(future_test, the_error_of_a_continuation_belongs_where_its_request_does) {
  std::uint64_t count = 0;
  auto p = std::make_unique<promise<int>>();
  p->state->unanswered = &count;
  static_cast<void>(p->get().then([](int) {}).then([] { throw std::runtime_error("at the end of the chain"); }));
  p->state->set_value(1);
  p.reset();
  EXPECT_EQ(unseen_text(&count), "at the end of the chain");
}

TEST_F(future_test, an_error_that_was_thrown_is_not_unseen) {
  auto p = std::make_unique<promise<int>>();
  auto f = p->get();
  p->state->set_error("asked");
  EXPECT_EQ(remote_text([&] { f.get(); }), "asked");
  p.reset();
  EXPECT_EQ(unseen_text(), "nothing is unseen");
}

}  // namespace
