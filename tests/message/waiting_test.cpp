// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Waiting: what a location does while its program, or a handler, waits.
#include <gtest/gtest.h>

#include "message/probe.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using sheaf::traffic;
using sheaf::detail::wait_kind;
using sheaf_test::entry_writer;
using sheaf_test::lone_location;
using sheaf_test::probe_text;
using sheaf_test::probe_value;
using sheaf_test::tag_of;
using values = std::vector<std::uint64_t>;

void expect_in(char const* part, std::string const& text) { EXPECT_NE(text.find(part), std::string::npos) << text; }

/// Waits until the probe has so many values.
void wait_for_values(lone_location& l, std::size_t count) {
  l.here.wait(wait_kind::answer, [&, count] { return l.object.values.size() >= count; });
}

TEST(waiting, executes_until_done_and_not_beyond) {
  lone_location l;
  for (std::uint64_t v : {1, 2, 3}) l.arrive(1, v);
  wait_for_values(l, 2);
  EXPECT_EQ(l.object.values, (values{1, 2}));
  EXPECT_FALSE(l.here.in().waiting());
}

TEST(waiting, flushes_before_it_rests) {
  lone_location l;
  l.put(1, 5);
  l.put_answer(2, 6);
  l.net.on_idle = [&] {
    EXPECT_EQ(l.net.sent.size(), 2u);
    l.arrive(1, 1);
  };
  wait_for_values(l, 1);
  EXPECT_EQ(l.net.idled, 1u);
}

/// Where others may enter the location, too, which a buffer of theirs would keep from resting.
TEST(waiting, rests_while_all_that_is_open_waits_for_credit) {
  sheaf::options settings = sheaf_test::fake_settings();
  settings.transport = sheaf::transport_kind::thread;
  settings.progress = sheaf::progress_kind::shared;
  lone_location l(settings);
  {
    sheaf::detail::admission const inside(l.here.gate());
    l.net.credits = 0;
    l.put(1, 5);
    l.here.request_box(1).flush();
  }
  int looks = 0;
  l.net.on_idle = [&] { l.arrive(1, 1); };
  l.here.wait(wait_kind::answer, [&] { return ++looks == 10000 || !l.object.values.empty(); });
  EXPECT_EQ(l.net.idled, 1u);
}

TEST(waiting, does_not_flush_while_there_is_something_to_execute) {
  lone_location l;
  l.put(1, 5);
  for (std::uint64_t v = 0; v < 10; ++v) l.arrive(1, v);
  wait_for_values(l, 10);
  EXPECT_TRUE(l.net.sent.empty());
}

TEST(waiting, a_handler_that_waits_lets_the_rest_of_its_run_go_on_first) {
  lone_location l;
  l.object.on_value = [&](std::uint64_t v) {
    if (v == 1) wait_for_values(l, 4);
    l.object.values.push_back(v + 100);  // the end of each handler
  };
  l.arrive(2, 50);
  l.arrive(1, 1, 2);
  l.arrive(1, 3);
  l.arrive(3, 60);
  l.work();
  // 1 begins, 2 follows in its run, then others; 1 ends when four records and the ends of 2 … were pushed.
  auto const& v = l.object.values;
  auto const at = [&](std::uint64_t x) { return std::find(v.begin(), v.end(), x) - v.begin(); };
  EXPECT_EQ(v.size(), 10u);
  EXPECT_LT(at(1), at(2));
  EXPECT_LT(at(2), at(3));
  EXPECT_EQ(at(102), at(2) + 1) << "atomic";
  EXPECT_LT(at(2), at(101)) << "inside the wait";
}

TEST(waiting, gives_back_the_credit_of_the_entry_that_its_last_handler_waits_in) {
  lone_location l;
  bool consumed = false;
  l.object.on_value = [&](std::uint64_t v) {
    if (v != 2) return;
    EXPECT_TRUE(l.net.held(1, traffic::request));
    l.here.wait(wait_kind::answer, [&] {
      consumed = !l.net.held(1, traffic::request);
      return l.object.values.size() == 3;
    });
  };
  l.arrive(1, 1, 2);
  l.arrive(1, 3);  // of the same pair: comes only when the first entry is consumed
  l.work();
  EXPECT_TRUE(consumed);
  EXPECT_EQ(l.object.values, (values{1, 2, 3}));
  EXPECT_EQ(l.here.registered().world().executed, 3u);
}

TEST(waiting, an_answer_given_after_the_wait_of_an_entrys_last_handler_leaves_with_the_entry) {
  lone_location l;
  bool go_on = false;
  l.object.on_value = [&](std::uint64_t v) {
    if (v == 2) go_on = true;
    if (v != 1) return;
    l.here.wait(wait_kind::answer, [&] { return go_on; });
    l.put_answer(1, 7);
  };
  l.arrive(1, 1);
  l.arrive(2, 2);
  EXPECT_TRUE(l.here.step());
  ASSERT_TRUE(go_on);
  ASSERT_EQ(l.net.sent.size(), 1u) << "although the location has not rested";
  EXPECT_EQ(l.net.sent[0].kind, traffic::answer);
}

TEST(waiting, an_answer_given_before_the_wait_of_an_entrys_last_handler_leaves_at_once) {
  lone_location l;
  l.object.on_value = [&](std::uint64_t) {
    l.put_answer(1, 7);
    l.here.wait(wait_kind::answer, [&] {
      EXPECT_EQ(l.net.sent_to(1), 1u) << "whoever waits for it may be who ends this wait";
      return true;
    });
  };
  l.arrive(1, 1);
  EXPECT_TRUE(l.here.step());
}

TEST(waiting, is_not_quiet_while_answers_are_awaited) {
  lone_location l;
  auto& team = l.here.registered().add_team({3, 0}, std::vector{sheaf::location_id{0}});
  EXPECT_TRUE(l.here.in().quiet(l.here.registered().world()) && l.here.in().quiet(team));
  ++l.here.registered().world().awaited;
  EXPECT_FALSE(l.here.in().quiet(l.here.registered().world()));
  EXPECT_TRUE(l.here.in().quiet(team));
  --l.here.registered().world().awaited;
  ++team.awaited;
  EXPECT_FALSE(l.here.in().quiet(team));
  EXPECT_FALSE(l.here.in().quiet(l.here.registered().world())) << "the world covers all teams";
}

TEST(waiting, keeps_the_entry_while_records_are_left_in_it) {
  lone_location l;
  l.object.on_value = [&](std::uint64_t v) {
    if (v == 2) {
      EXPECT_TRUE(l.net.held(1, traffic::request));
    }
    if (v == 1) wait_for_values(l, 2);
  };
  entry_writer w;
  w.run(tag_of<probe_value>(), 1, std::uint64_t{1})
      .run(tag_of<probe_text>(), 1, char{0})
      .run(tag_of<probe_value>(), 1, std::uint64_t{2});
  l.net.arrive(1, traffic::request, w.data());
  l.work();
  EXPECT_EQ(l.object.values, (values{1, 2}));
  EXPECT_EQ(l.object.texts.size(), 1u);
  EXPECT_FALSE(l.net.held(1, traffic::request));
  EXPECT_EQ(l.here.registered().world().executed, 3u);
}

TEST(waiting, an_exception_after_a_nested_wait_is_that_of_its_own_handler) {
  lone_location l;
  l.object.on_value = [&](std::uint64_t v) {
    if (v == 1) {
      wait_for_values(l, 3);
      throw std::runtime_error("one");
    }
    if (v == 2) throw std::runtime_error("two");
  };
  l.arrive(1, 1, 2, 3);
  l.work();
  EXPECT_EQ(l.object.values, (values{1, 2, 3}));
  auto const& errors = l.here.registered().world().errors;
  ASSERT_EQ(errors.count, 2u);
  expect_in("two", errors.texts[0]);
  expect_in("one", errors.texts[1]);
  EXPECT_EQ(l.here.registered().world().executed, 3u);
}

// ---- Limits --------------------------------------------------------------------------------------------------------

TEST(waiting, the_nesting_limit_is_checked_when_a_wait_is_issued) {
  auto o = sheaf_test::fake_settings();
  o.nesting_limit = 2;
  lone_location l(o);
  std::string text;
  l.object.on_value = [&](std::uint64_t v) {
    if (v < 3) return wait_for_values(l, 3);
    try {
      l.here.check_may_wait(wait_kind::answer, "the test");
    } catch (sheaf::nesting_limit const& e) {
      text = e.what();
    }
    EXPECT_THROW(wait_for_values(l, 100), sheaf::nesting_limit);
  };
  l.arrive(1, 1, 2, 3);
  l.work();
  expect_in("the test would be wait number 3", text);
  expect_in("the limit is 2 (options::nesting_limit)", text);
  expect_in("depth grows with load", text);
  expect_in("return sheaf::task<R> and co_await ask", text);
  expect_in("ask and then", text);
}

TEST(waiting, with_a_limit_of_0_no_handler_may_wait_and_the_program_may) {
  auto o = sheaf_test::fake_settings();
  o.nesting_limit = 0;
  lone_location l(o);
  int refused = 0;
  l.object.on_value = [&](std::uint64_t) {
    try {
      wait_for_values(l, 2);
    } catch (sheaf::nesting_limit const&) {
      ++refused;
    }
  };
  l.arrive(1, 1);
  wait_for_values(l, 1);
  EXPECT_EQ(refused, 1);
}

TEST(waiting, a_handler_never_waits_for_a_team) {
  lone_location l;
  std::string text;
  l.object.on_value = [&](std::uint64_t) {
    try {
      l.here.check_may_wait(wait_kind::collective, "the test");
    } catch (sheaf::usage_error const& e) {
      text = e.what();
    }
  };
  l.here.check_may_wait(wait_kind::collective, "the test");
  l.arrive(1, 1);
  l.work();
  expect_in("the test was called in a remotely invoked method of location 0", text);
}

TEST(waiting, a_poll_in_a_handler_executes_nothing) {
  lone_location l;
  l.object.on_value = [&](std::uint64_t v) {
    if (v == 1) l.here.poll();
    EXPECT_EQ(l.object.values.size(), v);
  };
  l.arrive(1, 1, 2);
  l.arrive(2, 3);
  EXPECT_TRUE(l.here.poll());
  EXPECT_EQ(l.object.values, (values{1, 2, 3}));
  EXPECT_FALSE(l.here.poll());
}

// ---- The reserve ---------------------------------------------------------------------------------------------------

/// A location with a small reserve whose handlers each put `sends` requests for location 1, which takes nothing.
struct waiting_reserve : testing::Test {
  static sheaf::options small() {
    auto o = sheaf_test::fake_settings();
    o.reserve_bytes = 256;
    return o;
  }
  waiting_reserve() {
    l.net.credits = 0;
    l.object.on_value = [this](std::uint64_t v) {
      for (std::uint64_t i = 0; i < sends; ++i) l.put(1, v * 1000 + i);
    };
  }
  /// Lets requests arrive one by one until the location does not take any more.
  std::size_t executes_until_stopped() {
    for (std::uint64_t v = 0; v < 100; ++v) l.arrive(2, v);
    l.work();
    return l.object.values.size();
  }

  lone_location l{small()};
  std::uint64_t sends = 10;
};

TEST_F(waiting_reserve, stops_execution_at_its_cap) {
  std::size_t const executed = executes_until_stopped();
  EXPECT_LT(executed, 10u);
  EXPECT_TRUE(l.here.in().stopped());
  EXPECT_GT(l.here.out().reserve_used(), l.here.out().held.cap);
  EXPECT_LE(l.here.out().reserve_used(), l.here.out().held.cap + 256) << "one handler's requests beyond it";
}

TEST_F(waiting_reserve, answers_are_consumed_while_it_is_stopped) {
  executes_until_stopped();
  l.net.arrive(3, traffic::answer, entry_writer().run(tag_of<sheaf_test::probe_answer>(0), 1, std::uint64_t{7}).data());
  EXPECT_TRUE(l.here.step());
  EXPECT_EQ(sheaf_test::probe_answer::arrived, values{7});
}

TEST_F(waiting_reserve, goes_on_when_it_drains) {
  std::size_t const executed = executes_until_stopped();
  l.net.credits = 3;
  l.work();
  EXPECT_GT(l.object.values.size(), executed);
  l.net.credits = 100'000;
  l.work();
  EXPECT_EQ(l.object.values.size(), 100u);
  EXPECT_EQ(l.here.out().reserve_used(), 0u);
}

TEST_F(waiting_reserve, goes_on_when_its_cap_is_raised) {
  std::size_t const executed = executes_until_stopped();
  l.here.out().held.raise();
  l.work();
  EXPECT_GT(l.object.values.size(), executed);
  EXPECT_LT(l.object.values.size(), 2 * executed + 2);
}

TEST_F(waiting_reserve, who_waits_for_an_answer_executes_in_spite_of_it) {
  executes_until_stopped();
  wait_for_values(l, 100);
  EXPECT_EQ(l.object.values.size(), 100u);
}

TEST_F(waiting_reserve, asks_its_hook_when_it_rests_while_stopped) {
  executes_until_stopped();
  static int asked;
  asked = 0;
  l.here.watch().on_stall([](sheaf::detail::location& here) {
    ++asked;
    here.out().held.raise();
    return std::uint64_t{0};
  });
  l.net.on_idle = [] {};
  l.here.wait(wait_kind::collective, [&] { return l.object.values.size() == 100; });
  EXPECT_GT(asked, 3);
  EXPECT_GE(l.here.out().held.raises, static_cast<unsigned>(asked)) << "each raise takes as many steps as help";
}

TEST_F(waiting_reserve, continuations_wait_while_it_is_stopped) {
  executes_until_stopped();
  bool ran = false;
  l.here.in().defer([](void* p) { *static_cast<bool*>(p) = true; }, &ran);
  EXPECT_FALSE(l.here.step());
  EXPECT_FALSE(ran) << "what it sends would pass the cap";
  l.net.credits = 100'000;
  l.work();
  EXPECT_TRUE(ran);
}

// ---- Continuations, wait_for_request's count, age
// --------------------------------------------------------------------------

/// A location with continuations that are due, each of which answers location 2.
struct answering_continuations {
  explicit answering_continuations(int count) {
    for (int i = 0; i < count; ++i) l.here.in().defer(&run, this);
  }
  static void run(void* p) {
    auto& self = *static_cast<answering_continuations*>(p);
    self.l.put_answer(2, self.ran++);
    self.l.here.in().flush_answers_soon(2);
  }
  lone_location l;
  std::uint64_t ran = 0;
};

TEST(waiting, answers_of_continuations_are_gathered_until_the_last_that_is_due) {
  answering_continuations c(3);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(c.l.here.step());
  EXPECT_EQ(c.l.net.sent_to(2), 0u);
  EXPECT_TRUE(c.l.here.step());
  EXPECT_EQ(c.l.net.sent_to(2), 1u) << "whatever the location does next";
}

TEST(waiting, answers_of_continuations_leave_before_the_program_goes_on) {
  answering_continuations c(3);
  c.l.here.wait(wait_kind::answer, [&] { return c.ran == 1; });
  EXPECT_EQ(c.l.net.sent_to(2), 1u) << "two are still due";
  answering_continuations many(100);
  EXPECT_TRUE(many.l.here.poll());
  EXPECT_LT(many.ran, 100u);
  EXPECT_EQ(many.l.net.sent_to(2), 1u);
}

/// As of a coroutine whose object a method of another location's request destroys.
TEST(waiting, an_answer_given_in_anothers_method_leaves_at_once) {
  lone_location l;
  l.object.on_value = [&](std::uint64_t v) {
    for (std::uint32_t const dest : {1u, 2u}) {
      l.put_answer(dest, v);
      l.here.in().flush_answers_soon(dest);
    }
    EXPECT_EQ(l.net.sent_to(1), 0u) << "the end of its entry flushes it";
    EXPECT_EQ(l.net.sent_to(2), 1u);
  };
  l.arrive(1, 7);
  EXPECT_TRUE(l.here.step());
  EXPECT_EQ(l.net.sent_to(1), 1u);
}

TEST(waiting, continuations_run_in_turn_and_never_inside_a_handler) {
  lone_location l;
  struct context {
    lone_location& l;
    int runs = 0;
  } c{l};
  l.object.on_value = [&](std::uint64_t) {
    l.here.in().defer(
        [](void* p) {
          auto& it = *static_cast<context*>(p);
          EXPECT_TRUE(it.l.here.in().in_handler()) << "it may not wait for a team";
          ++it.runs;
        },
        &c);
    l.here.poll();
    EXPECT_EQ(c.runs, 0);
  };
  l.arrive(1, 1);
  EXPECT_TRUE(l.here.step());
  EXPECT_FALSE(l.here.in().quiet(l.here.registered().world()));
  EXPECT_TRUE(l.here.step());
  EXPECT_EQ(c.runs, 1);
  EXPECT_TRUE(l.here.in().quiet(l.here.registered().world()));
}

TEST(waiting, each_request_serves_one_wait) {
  lone_location l;
  l.arrive(1, 1, 2, 3);
  l.net.arrive(1, traffic::answer, entry_writer().run(tag_of<sheaf_test::probe_answer>(0), 1, std::uint64_t{7}).data());
  l.work();
  EXPECT_EQ(l.here.in().unclaimed_requests(), 3u) << "answers do not count";
  l.here.in().claim_request();
  EXPECT_EQ(l.here.in().unclaimed_requests(), 2u);
  l.here.in().forget_requests();
  EXPECT_EQ(l.here.in().unclaimed_requests(), 0u);
}

TEST(waiting, the_waiting_handlers_own_request_does_not_count) {
  lone_location l;
  std::vector<std::uint64_t> seen;
  l.object.on_value = [&](std::uint64_t v) {
    if (v == 2) {
      l.here.wait(wait_kind::answer, [&] {
        seen.push_back(l.here.in().unclaimed_requests());
        return l.object.values.size() == 4;
      });
    }
  };
  l.arrive(1, 1, 2, 3, 4);
  l.work();
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.front(), 1u) << "1 has been executed, 2 waits";
  EXPECT_EQ(l.here.in().unclaimed_requests(), 4u);
}

TEST(waiting, a_waiting_continuation_is_no_request_either) {
  lone_location l;
  static std::uint64_t seen;
  seen = 99;
  l.here.in().defer(
      [](void* p) {
        auto& it = *static_cast<lone_location*>(p);
        it.here.wait(wait_kind::answer, [&] {
          seen = it.here.in().unclaimed_requests();
          return true;
        });
      },
      &l);
  l.work();
  EXPECT_EQ(seen, 0u);
}

TEST(waiting, flushes_by_age_between_requests) {
  auto o = sheaf_test::fake_settings();
  o.flush_age_ns = 500;
  o.poll_every = 1;
  lone_location l(o);
  l.put(1, 1);
  l.net.clock += 400;
  l.put_answer(1, 2);  // younger: does not make the older one young again
  l.put(1, 1);
  EXPECT_TRUE(l.net.sent.empty());
  l.net.clock += 100;
  l.put(1, 1);
  EXPECT_EQ(l.net.sent.size(), 2u);
  l.net.clock += 499;
  l.put(1, 1);
  EXPECT_EQ(l.net.sent.size(), 2u) << "its own age counts";
}

}  // namespace
