// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/attached_thread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/text_of.hpp"
#include "sheaf/rmi/migrating.hpp"
#include "sheaf/sheaf.hpp"

namespace {

using sheaf::progress_kind;

std::atomic<bool> asker_has_left{false};

struct ledger : sheaf::distributed<ledger> {
  explicit ledger(sheaf::team const& on) : distributed(on), from(8) {}
  std::vector<std::vector<std::uint64_t>> from;  // by writer
  std::uint64_t count = 0;

  void write(std::uint32_t writer, std::uint64_t value) {
    from[writer].push_back(value);
    ++count;
  }
  void write_text(std::uint32_t writer, std::string const& text) { write(writer, text.size()); }
  void add(std::uint64_t value) { count += value; }
  std::uint64_t twice(std::uint64_t value) { return 2 * value; }
  void refuse() { throw std::runtime_error("closed"); }
  void nothing() {}
  std::uint64_t answer_late() {
    while (!asker_has_left) std::this_thread::yield();
    return count;
  }
  std::string name() { return "ledger " + std::to_string(rank()); }
};

sheaf::task<std::uint64_t> asks(ledger& all) { co_return co_await all.ask<&ledger::twice>(0, 1u); }

sheaf::options with(progress_kind progress, unsigned locations = 2) {
  sheaf::options o;
  o.transport = sheaf::transport_kind::thread;
  o.locations = locations;
  o.progress = progress;
  return o;
}

/// What `f` throws as usage_error.
std::string refused(std::function<void()> const& f) {
  try {
    f();
  } catch (sheaf::usage_error const& told) {
    return told.what();
  }
  return "nothing was thrown";
}

#define EXPECT_SAYS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

class attached : public testing::TestWithParam<progress_kind> {};
INSTANTIATE_TEST_SUITE_P(modes, attached,
                         testing::Values(progress_kind::shared, progress_kind::helper, progress_kind::hand_over),
                         [](auto const& mode) { return std::string(sheaf::name(mode.param)); });

TEST_P(attached, threads_issue_requests_that_the_next_fence_covers) {
  constexpr std::uint64_t each = 2000;
  sheaf::run(with(GetParam()), [](sheaf::team world) {
    ledger all(world);
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        sheaf::attached_thread const self(world);
        for (std::uint64_t i = 0; i < each; ++i) {
          std::uint32_t const dest = i % 2;
          if (i % 7 == 0) {
            all.async<&ledger::write_text>(dest, world.rank() * 3 + t, std::string(i, 'x'));
          } else {
            all.async<&ledger::write>(dest, world.rank() * 3 + t, i);
          }
        }
      });
    }
    for (std::uint64_t i = 0; i < each; ++i) all.async<&ledger::write>(i % 2, 6 + world.rank(), i);
    for (auto& t : threads) t.join();
    sheaf::fence(world);
    EXPECT_EQ(all.count, each * 8 / 2);
    for (auto const& one : all.from) EXPECT_TRUE(std::is_sorted(one.begin(), one.end())) << "the order of a thread";
  });
}

/// Each fence takes its cuts between the records that they have written, and those that they are writing.
TEST_P(attached, fences_meanwhile_lose_nothing_of_what_threads_send) {
  constexpr std::uint64_t each = 3000;
  sheaf::run(with(GetParam()), [](sheaf::team world) {
    ledger all(world);
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        sheaf::attached_thread const self(world);
        for (std::uint64_t i = 0; i < each; ++i) all.async<&ledger::write>(i % 2, world.rank() * 3 + t, i);
      });
    }
    for (int fence = 0; fence < 30; ++fence) {
      all.async<&ledger::write>(1 - world.rank(), 6 + world.rank(), static_cast<std::uint64_t>(fence));
      sheaf::fence(world);
      auto const written = all.from[7 - world.rank()].size();
      EXPECT_GE(written, static_cast<std::size_t>(fence) + 1);
      EXPECT_LE(written, static_cast<std::size_t>(fence) + 2) << "the other may have left the fence and written again";
    }
    for (auto& t : threads) t.join();
    sheaf::fence(world);
    EXPECT_EQ(all.count, each * 3 + 30);
    for (auto const& one : all.from) EXPECT_TRUE(std::is_sorted(one.begin(), one.end())) << "the order of a thread";
  });
}

/// The first use of a method that is named at run time tells the destination what its number means.
TEST_P(attached, threads_call_a_method_that_the_program_has_just_named) {
  sheaf::run(with(GetParam()), [](sheaf::team world) {
    ledger all(world);
    sheaf::barrier(world);
    if (world.rank() == 0) {
      all.async(1, &ledger::add, std::uint64_t{1});
      std::thread([&] {
        sheaf::attached_thread const self(world);
        all.async(1, &ledger::add, std::uint64_t{2});
        EXPECT_EQ(all.sync<&ledger::twice>(1, 4u), 8u);
      }).join();
    }
    sheaf::fence(world);
    EXPECT_EQ(all.count, 3u * world.rank());
  });
}

TEST_P(attached, threads_wait_for_answers_while_the_program_computes) {
  sheaf::run(with(GetParam()), [](sheaf::team world) {
    ledger all(world);
    sheaf::barrier(world);
    if (world.rank() == 0) {
      std::vector<std::thread> threads;
      std::atomic<int> done{0};
      for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&] {
          sheaf::attached_thread const self(world);
          for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(all.sync<&ledger::twice>(1, i), 2 * i);
          std::vector<sheaf::future<std::uint64_t>> asked;
          for (std::uint64_t i = 0; i < 50; ++i) {
            asked.push_back(all.ask<&ledger::twice>(1, i));
          }
          for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(asked[i].get(), 2 * i);
          EXPECT_EQ(all.ask<&ledger::name>(1).get(), "ledger 1");
          all.ask<&ledger::nothing>(1).get();
          EXPECT_THROW(all.sync<&ledger::refuse>(1), sheaf::remote_error);
          EXPECT_THROW(all.ask<&ledger::refuse>(1).get(), sheaf::remote_error);
          ++done;
        });
      }
      while (done.load() != 3) std::this_thread::yield();  // neither waits nor polls
      for (auto& t : threads) t.join();
    }
    sheaf::fence(world);
  });
}

struct counter {
  std::uint64_t sum = 0;
  std::uint64_t add(std::uint64_t value) { return sum += value; }
};

/// The table of replies that are awaited is everybody's.
TEST_P(attached, a_question_to_a_migrating_object_waits_for_its_turn_inside) {
  sheaf::run(with(GetParam(), 1), [](sheaf::team world) {
    sheaf::migrating<counter> moving(world);
    auto const id = moving.create({});
    sheaf::detail::location& here = here_of(world);
    std::atomic<bool> held{false};
    std::size_t seen = 0;
    std::thread other([&] {
      sheaf::attached_thread const self(world);
      sheaf::detail::admission const inside(here.gate());
      held = true;
      for (int look = 0; look < 200; ++look) {
        seen += here.calls().replies.awaited();
        std::this_thread::yield();
      }
    });
    while (!held) std::this_thread::yield();
    EXPECT_EQ(moving.sync<&counter::add>(id, 1u), 1u);
    other.join();
    EXPECT_EQ(seen, 0u) << "two threads used it at once";
  });
}

TEST_P(attached, migrating_objects_are_the_owners) {
  sheaf::run(with(GetParam(), 1), [](sheaf::team world) {
    sheaf::migrating<counter> moving(world);
    auto const id = moving.create({});
    std::thread([&] {
      sheaf::attached_thread const self(world);
      auto const refused = [](auto call) { return sheaf_test::text_of<sheaf::usage_error>(call); };
      std::string const by = " on location 0 came from a thread that is not its own";
      EXPECT_NE(refused([&] { moving.create({}); }).find("migrating::create" + by), std::string::npos);
      EXPECT_NE(refused([&] { static_cast<void>(moving.find(id)); }).find("migrating::find" + by), std::string::npos);
      EXPECT_NE(refused([&] { moving.leave(id, 0); }).find("migrating::leave" + by), std::string::npos);
      EXPECT_NE(refused([&] { static_cast<void>(moving.entries()); }).find("migrating::entries" + by),
                std::string::npos);
      EXPECT_NE(refused([&] { static_cast<void>(moving.ids_here()); }).find("migrating::ids_here" + by),
                std::string::npos);
      EXPECT_NE(refused([&] {
                  static_cast<void>(moving.ask<&counter::add>(id, 1u));
                }).find("a request to a migrating object" + by),
                std::string::npos);
    }).join();
    EXPECT_NE(moving.find(id), nullptr);
  });
}

/// What the fences of a team tell of a future that a thread attached to its member 0 has dropped. The reply may come
/// after the first one: what is dropped is awaited by nobody.
std::string fences_tell(sheaf::team const& on) {
  ledger all(on);
  if (on.rank() == 0) {
    std::thread([&] {
      sheaf::attached_thread const self(on);
      static_cast<void>(all.ask<&ledger::twice>(1, 3u));
      static_cast<void>(all.ask<&ledger::refuse>(1));
    }).join();
  }
  std::string text;
  for (int i = 0; i < 100 && text.empty(); ++i) {
    try {
      sheaf::fence(on);
    } catch (sheaf::remote_error const& told) {
      text = told.what();
    }
    text = sheaf::broadcast(on, 0, text);
  }
  return text;
}

TEST_P(attached, a_future_that_is_dropped_loses_no_error) {
  sheaf::run(with(GetParam()), [](sheaf::team world) {
    EXPECT_SAYS(fences_tell(world), "closed");
    sheaf::team const turned = world.subteam({1, 0}).value();
    EXPECT_SAYS(fences_tell(turned), "closed");  // that of the request's team
  });
}

TEST(attached_thread, what_only_the_program_may_do_is_refused) {
  sheaf::run(with(progress_kind::shared, 1), [](sheaf::team world) {
    ledger all(world);
    sheaf::reply_window<std::uint64_t> mine(world, 4);
    std::thread([&] {
      sheaf::attached_thread const self(world);
      char const* const whole_team = "only the location's own program may wait for a whole team";
      EXPECT_SAYS(refused([&] { sheaf::fence(world); }), whole_team);
      EXPECT_SAYS(refused([&] { sheaf::barrier(world); }), whole_team);
      EXPECT_SAYS(refused([&] { static_cast<void>(world.split(0)); }), whole_team);
      char const* const not_its_own = "from a thread that is not its own";
      EXPECT_SAYS(refused([&] { ledger again(world); }), not_its_own);
      EXPECT_SAYS(refused([&] { sheaf::wait_for_request(); }), "wait_for_request on location 0");
      EXPECT_SAYS(refused([&] { sheaf::reply_window<std::uint64_t> answers(world, 4); }), not_its_own);
      auto const request = refused([&] { all.ask_into<&ledger::twice>(0, mine, 0, 3u); });
      EXPECT_SAYS(request, "ask_into on location 0 came from a thread that is not its own");
      EXPECT_SAYS(request, "attached_thread_test.cpp:");
      EXPECT_SAYS(refused([&] { all.ask_into<&ledger::twice>(0, mine, 4, 3u); }), not_its_own);
      EXPECT_SAYS(refused([&] { all.async<&ledger::nothing>(sheaf::to_all); }), not_its_own);
      auto asked = all.ask<&ledger::twice>(0, 1u);
      EXPECT_SAYS(refused([&] { static_cast<void>(asked.then([](std::uint64_t) {})); }),
                  "then() and co_await cannot be used on an");
      EXPECT_SAYS(refused([&] { static_cast<void>(asks(all).get()); }), "then() and co_await cannot be used on an");
      auto task = asks(all);
      EXPECT_SAYS(refused([&] { sheaf::future<std::uint64_t> const kept = std::move(task); }), "of an attached thread");
      EXPECT_SAYS(refused([&] { static_cast<void>(task.get()); }), "then() and co_await cannot be used on an");
      EXPECT_SAYS(refused([&] { sheaf::attached_thread const twice(world); }), "attach each thread once");
    }).join();
    all.ask_into<&ledger::twice>(0, mine, 3, 3u);
    EXPECT_SAYS(refused([&] { all.ask_into<&ledger::twice>(0, mine, 4, 3u); }), "slot 4 of a reply_window that has");
    mine.wait();
    EXPECT_EQ(mine[3], 6u);
    sheaf::fence(world);
  });
}

TEST(attached_thread, the_exception_of_a_task_that_nobody_asked_is_thrown_by_a_fence) {
  sheaf::run(with(progress_kind::shared, 1), [](sheaf::team world) {
    ledger all(world);
    std::thread([&] {
      sheaf::attached_thread const self(world);
      static_cast<void>(asks(all));
    }).join();
    EXPECT_SAYS(sheaf_test::text_of<sheaf::remote_error>([&] { sheaf::fence(world); }),
                "in a result that nobody asked for");
  });
}

TEST(attached_thread, inline_progress_lets_nobody_in) {
  sheaf::run(with(progress_kind::inlined, 1), [](sheaf::team world) {
    std::thread([&] {
      EXPECT_SAYS(refused([&] { sheaf::attached_thread const self(world); }), "SHEAF_PROGRESS is inline; set it to");
    }).join();
  });
}

TEST(attached_thread, a_location_must_not_attach_to_itself) {
  sheaf::run(with(progress_kind::shared, 1), [](sheaf::team world) {
    EXPECT_SAYS(refused([&] { sheaf::attached_thread const self(world); }), "attach each thread once");
  });
}

/// What a thread that is attached to location 0 of two sees, and what the job says, where all programs are in a fence
/// and the thread waits for what never comes, as location 1 holds its first request.
struct stands_still {
  std::string text;
  bool told_to_the_thread = false;
};
using waits = std::function<void(sheaf::handle<ledger>)>;
stands_still wait_for_what_never_comes(progress_kind progress, waits const& wait) {
  stands_still seen;
  sheaf::options o = with(progress);
  o.watchdog_ms = 20;
  o.reserve_bytes = std::size_t{64} << 10;
  try {
    sheaf::run(o, [&](sheaf::team world) {
      if (world.rank() != 0) return sheaf::fence(world);
      std::atomic<bool> sent{false};
      sheaf::handle<ledger> const nowhere(0, 5);
      std::jthread const asks([&] {
        sheaf::attached_thread const self(world);
        nowhere.template async<&ledger::nothing>(1);
        sent = true;
        try {
          wait(nowhere);
        } catch (sheaf::job_aborted const&) {
          seen.told_to_the_thread = true;
        }
      });
      while (!sent) std::this_thread::yield();
      sheaf::fence(world);
    });
  } catch (sheaf::job_failed const& told) {
    seen.text = told.what();
  }
  return seen;
}

/// Also where the program joins the thread while the exception is on its way out.
TEST_P(attached, a_thread_that_waits_keeps_no_job_that_stands_still) {
  auto const [text, told] =
      wait_for_what_never_comes(GetParam(), [](auto nowhere) { nowhere.template sync<&ledger::twice>(1, 1u); });
  EXPECT_SAYS(text, "deadlock: all 2 locations wait");
  EXPECT_SAYS(text, "location 0, in a thread that is attached to it, waits in sync, called at ");
  EXPECT_SAYS(text, "location 1 holds 1 request (ledger::nothing) of location 0");
  EXPECT_TRUE(told);
}

TEST_P(attached, a_thread_that_sends_on_and_on_keeps_no_job_that_stands_still) {
  auto const [text, told] = wait_for_what_never_comes(GetParam(), [](auto nowhere) {
    while (true) nowhere.template async<&ledger::twice>(1, 1u);
  });
  EXPECT_SAYS(text, "location 0, in a thread that is attached to it, waits in sending a request, called at " __FILE__);
  EXPECT_SAYS(text, "the request is to ledger::twice on object 5 of team 0");
  EXPECT_TRUE(told);
}

/// Its location's program computes.
TEST_P(attached, a_loop_of_tests_gets_its_answer) {
  sheaf::run(with(GetParam()), [](sheaf::team world) {
    ledger all(world);
    std::atomic<bool> answered{world.rank() != 0};
    auto const ask = [&] {
      sheaf::attached_thread const self(world);
      auto later = all.ask<&ledger::twice>(1, 21u);
      while (!later.ready()) continue;
      EXPECT_EQ(later.get(), 42u);
      answered = true;
    };
    std::jthread const asks = world.rank() == 0 ? std::jthread(ask) : std::jthread();
    while (!answered) std::this_thread::yield();
    sheaf::fence(world);
  });
}

TEST_P(attached, a_thread_that_waits_for_a_future_says_whose_answer_that_is) {
  auto const [text, told] =
      wait_for_what_never_comes(GetParam(), [](auto nowhere) { nowhere.template ask<&ledger::twice>(1, 1u).get(); });
  EXPECT_SAYS(text, "location 0, in a thread that is attached to it, waits in future::get, called at " __FILE__ ":");
  EXPECT_SAYS(text, ", for location 1's answer to ledger::twice on object 5 of team 0\n");
  EXPECT_TRUE(told);
}

TEST_P(attached, a_thread_that_waits_for_a_published_object_says_for_which) {
  auto const [text, told] = wait_for_what_never_comes(GetParam(), [](auto) {
    sheaf::published_handle<ledger> const of_1(sheaf::location_id{1}, sheaf::run_tag::of_published(9, 0));
    sheaf::world().ask<&ledger::twice>(of_1, 1u).get();
  });
  EXPECT_SAYS(text, ", for location 1's answer to ledger::twice on the object published as number 9\n");
  EXPECT_TRUE(told);
}

/// What the job of two says, and what a thread that is attached to location 0 gets as job_aborted from `does`, where a
/// request of location 1 for what was withdrawn ends the job of location 0's program, which joins the thread before it
/// tells anybody. `at_last` is called when that has been done.
struct left {
  std::string to_the_thread, text;
};
left leave_with(
    progress_kind progress, std::function<void(ledger&)> does, std::function<void()> at_last = [] {}) {
  struct last {
    std::function<void()> const& f;
    ~last() { f(); }
  };
  left seen;
  try {
    sheaf::run(with(progress), [&](sheaf::team world) {
      ledger all(world);
      auto published = std::make_unique<sheaf::published<ledger>>(all);
      auto const stale = sheaf::broadcast(world, 0, handle_of(*published));
      published.reset();
      sheaf::barrier(world);
      if (world.rank() != 0) {
        sheaf::world().async<&ledger::nothing>(stale);
        sheaf::flush();  // before it executes anything, which may wait for that
        return sheaf::fence(world);
      }
      last const guard{at_last};
      std::jthread const other([&] {
        sheaf::attached_thread const self(world);
        seen.to_the_thread = sheaf_test::text_of<sheaf::job_aborted>([&] { does(all); });
      });
      sheaf::fence(world);
    });
  } catch (sheaf::job_failed const& told) {
    seen.text = told.what();
  }
  return seen;
}

TEST_P(attached, a_thread_that_waits_keeps_no_program_from_leaving) {
  auto const [to_the_thread, text] =
      leave_with(GetParam(), [](ledger&) { (sheaf::handle<ledger>(0, 5)).sync<&ledger::twice>(0, 1u); });
  EXPECT_SAYS(text, "after the object was withdrawn");
  EXPECT_SAYS(to_the_thread, "after the object was withdrawn");
}

TEST_P(attached, a_thread_that_polls_keeps_no_program_from_leaving) {
  auto const [to_the_thread, text] = leave_with(GetParam(), [](ledger&) {
    while (true) sheaf::poll();
  });
  EXPECT_SAYS(text, "after the object was withdrawn");
  EXPECT_SAYS(to_the_thread, "after the object was withdrawn");
}

std::uint64_t entries_of_location_1() {
  for (auto const& link : sheaf::local_statistics().links) {
    if (link.from == 1 && link.to == 0) return link.entries_received;
  }
  return 0;
}

/// The answer comes when the thread has gone, and is taken by whoever is at the location then: a helper, or the program
/// in a destructor.
TEST_P(attached, an_answer_to_who_has_left_is_dropped) {
  asker_has_left = false;
  auto const [to_the_thread, text] = leave_with(
      GetParam(), [](ledger& all) { all.sync<&ledger::answer_late>(1); },
      [] {
        while (sheaf::poll()) continue;
        std::uint64_t const before = entries_of_location_1();  // which sends nothing before it answers
        asker_has_left = true;
        while (entries_of_location_1() == before) sheaf::poll();
      });
  EXPECT_SAYS(text, "after the object was withdrawn");
  EXPECT_SAYS(to_the_thread, "after the object was withdrawn");
}

TEST(attached_thread, a_program_that_returns_too_early_ends_the_job) {
  std::atomic<bool> attached{false}, told_to_the_thread{false};
  std::thread late;
  std::string text;
  try {
    sheaf::run(with(progress_kind::shared, 1), [&](sheaf::team world) {
      late = std::thread([&, world] {
        sheaf::attached_thread const self(world);
        attached = true;
        try {  // nobody registers this object, so its answer cannot come
          (sheaf::handle<ledger>(0, 5)).sync<&ledger::twice>(0, 1u);
        } catch (sheaf::job_aborted const&) {
          told_to_the_thread = true;
        }
      });
      while (!attached.load()) std::this_thread::yield();
    });
  } catch (sheaf::job_failed const& told) {
    text = told.what();
  }
  late.join();
  EXPECT_SAYS(text, "1 thread is attached to it; join them");
  EXPECT_TRUE(told_to_the_thread.load());
}

TEST(foreign_thread, is_refused_where_nobody_else_may_enter) {
  sheaf::run(with(progress_kind::inlined, 1), [](sheaf::team world) {
    ledger all(world);
    std::thread([&] {
      auto const text = [](auto call) { return sheaf_test::text_of<sheaf::usage_error>(call); };
      char const* const why =
          "a request on location 0 came from a thread that is not its own; others may issue requests with";
      EXPECT_SAYS(text([&] { all.async<&ledger::add>(0, 1u); }), why);
      EXPECT_SAYS(text([&] { all.sync<&ledger::nothing>(0); }), why);
      EXPECT_SAYS(text([&] { static_cast<void>(all.ask<&ledger::nothing>(0)); }), why);
    }).join();
    fence(world);
    EXPECT_EQ(all.count, 0u);
  });
}

}  // namespace
