// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Statistics, what explains aggregation, and the report of a running job.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <numeric>
#include <thread>

#include "harness/caught_stderr.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/rmi/migrating.hpp"
#include "sheaf/runtime/attached_thread.hpp"
#include "sheaf/runtime/statistics.hpp"

namespace {

using sheaf::flush_reason;
using sheaf::statistics;
using sheaf::team;
using sheaf::transport_kind;
using sheaf_test::caught_stderr;
using sheaf_test::expect_in;

struct tally : sheaf::distributed<tally> {
  explicit tally(sheaf::team const& t) : distributed(t) {}
  std::uint64_t sum = 0;
  void add(std::uint64_t n) { sum += n; }
  std::uint64_t total() { return sum; }
  std::uint64_t ask(std::uint32_t other) { return sync<&tally::total>(other); }
};

struct visitor {
  std::uint64_t sum = 0;
  void add(std::uint32_t n) { sum += n; }
  void clear() { sum = 0; }
};

statistics::handler const* handler_of(statistics const& s, std::string const& name) {
  for (auto const& one : s.handlers) {
    if (one.name.find(name) != std::string::npos) return &one;
  }
  return nullptr;
}

class counts : public sheaf_test::over {};
INSTANTIATE_TEST_SUITE_P(over, counts, testing::Values(transport_kind::thread, transport_kind::sim),
                         [](auto const& info) { return std::string(name(info.param)); });

TEST_P(counts, requests_are_counted_per_method_and_pair_at_both_ends) {
  run(3, [](team const& world) {
    tally t(world);
    for (int i = 0; i < 100; ++i) t.async<&tally::add>((world.rank() + 1) % 3, 1u);
    sheaf::fence(world);
    EXPECT_EQ(t.sync<&tally::total>(world.rank()), 100u);
    sheaf::fence(world);
    statistics const own = sheaf::local_statistics();
    ASSERT_NE(handler_of(own, "tally::add"), nullptr);
    EXPECT_EQ(handler_of(own, "tally::add")->requests, 100u);
    EXPECT_LE(handler_of(own, "tally::add")->runs, 100u);
    EXPECT_EQ(handler_of(own, "tally::total")->requests, 1u);
    statistics const all = total_statistics(world);
    EXPECT_EQ(handler_of(all, "tally::add")->requests, 300u);
    for (auto const& link : all.links) {
      bool const next = link.to == (link.from + 1) % 3, self = link.to == link.from;
      EXPECT_EQ(link.created, next ? 100u : self ? 1u : 0u) << link.from << " to " << link.to;
      EXPECT_EQ(link.executed, link.created) << link.from << " to " << link.to;
      EXPECT_GE(link.bytes_sent, next ? 800u : 0u);
    }
    EXPECT_GT(std::accumulate(all.flushes.begin(), all.flushes.end(), 0u), 0u);
  });
}

TEST_P(counts, requests_to_migrating_objects_are_counted_per_method_though_they_share_runs) {
  run(2, [](team const& world) {
    sheaf::migrating<visitor> all(world);
    if (world.rank() == 0) {
      sheaf::object_id const id = all.create({});
      for (std::uint32_t i = 0; i < 10; ++i) {
        all.async<&visitor::add>(id, i);
        all.async<&visitor::add>(id, i);
        all.async<&visitor::clear>(id);
      }
    }
    sheaf::fence(world);
    statistics const all_counts = total_statistics(world);
    ASSERT_NE(handler_of(all_counts, "visitor::add"), nullptr);
    EXPECT_EQ(handler_of(all_counts, "visitor::add")->requests, 20u);
    EXPECT_EQ(handler_of(all_counts, "visitor::add")->runs, 10u) << "in pairs";
    EXPECT_EQ(handler_of(all_counts, "visitor::clear")->requests, 10u);
    for (auto const& one : all_counts.handlers) EXPECT_EQ(one.name.find("migrating"), one.name.npos) << one.name;
  });
}

TEST_P(counts, all_that_was_sent_has_been_received_after_a_fence) {
  run(4, [](team const& world) {
    tally t(world);
    for (std::uint32_t i = 0; i < 500; ++i) t.async<&tally::add>(i % 4, i);
    sheaf::fence(world);
    statistics const all = total_statistics(world);
    std::uint64_t created = 0, executed = 0;
    for (auto const& link : all.links) {
      created += link.created;
      executed += link.executed;
      EXPECT_GE(link.entries_sent, link.created == 0 ? 0u : 1u);
    }
    EXPECT_EQ(created, 2000u);
    EXPECT_EQ(executed, 2000u);
    expect_in("tally::add", all.text());
    expect_in("buffers handed on: full ", all.text());
  });
}

TEST_P(counts, buffers_are_counted_by_the_reason_they_left) {
  sheaf::options o = sheaf_test::job_of(GetParam(), 1);
  o.buffer_bytes = 128;
  o.first_flush_bytes = 128;
  sheaf::run(o, [](team const& world) {
    tally t(world);
    auto const flushed = [](flush_reason why) { return sheaf::local_statistics().flushed(why); };
    t.async<&tally::add>(0, 1u);
    std::uint64_t const asked = flushed(flush_reason::asked);
    sheaf::flush();
    EXPECT_EQ(flushed(flush_reason::asked), asked + 1);
    t.async<&tally::add>(0, 1u);
    std::uint64_t const urgent = flushed(flush_reason::urgent);
    t.sync<&tally::total>(0);
    EXPECT_EQ(flushed(flush_reason::urgent), urgent + 1);
    std::uint64_t const full = flushed(flush_reason::full);
    for (int i = 0; i < 100; ++i) t.async<&tally::add>(0, 1u);
    EXPECT_GE(flushed(flush_reason::full), full + 5);
    std::uint64_t const fence = flushed(flush_reason::fence);
    sheaf::flush();
    t.async<&tally::add>(0, 1u);
    sheaf::fence(world);
    EXPECT_EQ(flushed(flush_reason::fence), fence + 1);
  });
}

TEST_P(counts, marks_tell_how_much_there_was_at_most) {
  sheaf::options o = sheaf_test::job_of(GetParam(), 3);
  sheaf::run(o, [](team const& world) {
    tally t(world);
    sheaf::fence(world);
    EXPECT_EQ(sheaf::local_statistics().most.nested_waits, 0u);
    sheaf::barrier(world);
    if (world.rank() == 0) {
      EXPECT_EQ(t.sync<&tally::ask>(1, 2u), 0u);
    }
    sheaf::fence(world);
    EXPECT_EQ(sheaf::local_statistics().most.nested_waits, world.rank() == 1 ? 1u : 0u);
    EXPECT_EQ(total_statistics(world).most.nested_waits, 1u);
  });
}

TEST_P(counts, the_growth_of_a_buffer_is_explained) {
  sheaf::options o = sheaf_test::job_of(GetParam(), 2);
  o.first_flush_bytes = 256;
  o.buffer_bytes = 1024;
  sheaf::run(o, [](team const& world) {
    tally t(world);
    sheaf::fence(world);
    if (world.rank() == 0) {
      EXPECT_EQ(sheaf::explain(), "");
      t.async<&tally::add>(1, 1u);
      expect_in("requests to location 1: buffers are handed over at 256 bytes: from 256, grown by 0 full buffers",
                sheaf::explain());
      for (int i = 0; i < 40; ++i) t.async<&tally::add>(1, 1u);
      expect_in("buffers are handed over at 384 bytes: from 256, grown by 1 full buffers", sheaf::explain());
      expect_in("to at most 1024", sheaf::explain());
    }
    sheaf::fence(world);
  });
}

TEST_P(counts, they_are_printed_at_the_end_where_that_is_asked_for) {
  sheaf::options o = sheaf_test::job_of(GetParam(), 2);
  o.statistics = true;
  testing::internal::CaptureStderr();
  sheaf::run(o, [](team const& world) {
    tally t(world);
    for (int i = 0; i < 10; ++i) t.async<&tally::add>(1, 1u);
    sheaf::fence(world);
  });
  std::string const text = testing::internal::GetCapturedStderr();
  expect_in("sheaf: statistics of 2 locations", text);
  expect_in("tally::add", text);
  expect_in("              20 ", text);
}

std::size_t count_in(std::string const& text, std::string const& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Signals this process, and computes until all is known that the others tell when they wait: on a busy machine they
/// may not have come so far at the first signal. What was printed since.
std::string ask_until_all_wait(caught_stderr const& errors) {
  constexpr char const* told[] = {"  location 0 waits in barrier", "  location 1 waits in barrier",
                                  "location 2 computes"};
  std::size_t const begin = errors.text().size();
  std::string text;
  auto const known = [&](char const* what) { return text.find(what) != std::string::npos; };
  while (!std::all_of(std::begin(told), std::end(told), known)) {
    std::size_t const before = count_in(text, "the whole job");
    raise(SIGUSR1);
    while (count_in(text = errors.text().substr(begin), "the whole job") == before) std::this_thread::yield();
  }
  return text;
}

TEST(report_signal, a_running_job_says_who_waits_and_who_computes) {
  std::string text;
  {
    caught_stderr const errors;
    sheaf::options o = sheaf_test::job_of(transport_kind::thread, 3);
    o.watchdog_ms = 1;
    sheaf::run(o, [&](team const& world) {
      tally t(world);
      sheaf::fence(world);
      if (world.rank() == 2) {              // location 0 prints half a second after the signal: by then the watchdog
        ask_until_all_wait(errors);         // has asked, too, and waits for this location
        text = ask_until_all_wait(errors);  // which a second signal must not wait for
      }
      sheaf::barrier(world);
    });
  }
  expect_in("sheaf: asked by a signal:\n  location 0 waits in barrier, called at ", text);
  expect_in("\n  location 1 waits in barrier, called at ", text);
  expect_in(", for the members of team 0", text);
  expect_in("location 2 computes: it has neither waited nor polled since; no remotely invoked method has begun", text);
  expect_in("asked by a signal, the whole job of 3 locations:\n  location 0 waits in barrier, called at ", text);
  expect_in("\n  location 2 has not come to a wait or a poll since: it computes\n", text);
}

TEST(report_signal, location_0_prints_once_what_all_have_answered) {
  std::string text;
  {
    caught_stderr const errors;
    sheaf::run(sheaf_test::job_of(transport_kind::thread, 3), [&](team const& world) {
      tally t(world);
      sheaf::fence(world);
      if (world.rank() == 2) {
        for (int i = 0; i < 5; ++i) t.async<&tally::add>(1, 1u);
        sheaf::flush();
        raise(SIGUSR1);
        while (errors.text().find("the whole job") == std::string::npos) sheaf::poll();
      }
      sheaf::barrier(world);
    });
    text = errors.text();
  }
  std::string const whole = text.substr(text.find("sheaf: asked by a signal, the whole job"));
  expect_in("the whole job of 3 locations:\n  location 0 waits in barrier, called at ", whole);
  expect_in("of team 0; location 2 has not come to it\n", whole);
  expect_in("\n  requests from location 2 to 1: 5 created, 5 sent, 5 received, 5 executed\n", whole);
  expect_in("\n  location 2 polls\n", whole);
  EXPECT_EQ(whole.find("the whole job", 50), std::string::npos) << text;
}

/// Asks for a report in a method, which computes until all has been printed.
struct asker : sheaf::distributed<asker> {
  asker(sheaf::team const& t, caught_stderr const& to) : distributed(t), errors(to) {}
  caught_stderr const& errors;
  std::string look() {
    raise(SIGUSR1);
    while (errors.text().find("the whole job") == std::string::npos) std::this_thread::yield();
    return errors.text();
  }
};

TEST(report_signal, attached_threads_say_what_they_wait_for) {
  std::string text;
  {
    caught_stderr const errors;
    sheaf::options o = sheaf_test::job_of(transport_kind::thread, 2);
    o.progress = sheaf::progress_kind::shared;
    sheaf::run(o, [&](team const& world) {
      asker a(world, errors);
      sheaf::barrier(world);
      if (world.rank() == 0) {
        std::atomic<bool> done{false};
        std::thread own([&] {
          sheaf::attached_thread const here(world);
          text = a.sync<&asker::look>(1);
          done = true;
        });
        while (!done) sheaf::poll();
        own.join();
      }
      sheaf::barrier(world);
    });
  }
  expect_in("\n  location 0, in a thread that is attached to it, waits in sync, called at ", text);
  expect_in("asker::look on object 1 of team 0\n", text);
}

TEST(report_signal, the_programs_own_action_stays) {
  static std::atomic<int> seen;
  seen = 0;
  struct sigaction own {};
  own.sa_handler = [](int) { ++seen; };
  struct sigaction before {};
  sigaction(SIGUSR1, &own, &before);
  sheaf::run(sheaf_test::job_of(transport_kind::thread, 2), [](team const& world) {
    sheaf::barrier(world);
    if (world.rank() == 1) raise(SIGUSR1);
    while (seen == 0) std::this_thread::yield();
    struct sigaction other {};
    sigaction(SIGUSR2, nullptr, &other);
    EXPECT_NE(other.sa_handler, SIG_DFL) << "takes its place";
    sheaf::barrier(world);
  });
  EXPECT_EQ(seen, 1);
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(report_signal, nothing_of_it_is_left_after_the_job_or_where_it_is_off) {
  auto const action = [] {
    struct sigaction now {};
    sigaction(SIGUSR1, nullptr, &now);
    return now.sa_handler;
  };
  sheaf::options o = sheaf_test::job_of(transport_kind::thread, 2);
  for (int again = 0; again < 3; ++again) {
    sheaf::run(o, [&] {
      sheaf::barrier(sheaf::world());
      EXPECT_NE(action(), SIG_DFL);
      sheaf::barrier(sheaf::world());
    });
    EXPECT_EQ(action(), SIG_DFL);
  }
  o.report_signals = false;
  sheaf::run(o, [&] {
    sheaf::barrier(sheaf::world());
    EXPECT_EQ(action(), SIG_DFL);
  });
}

}  // namespace
