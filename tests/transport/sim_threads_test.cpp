// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Threads of simulated locations that are not their own.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "base/gate.hpp"
#include "base/threading.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/transport/simulator.hpp"

namespace {

using sheaf::ending;
using sheaf::endpoint;
using sheaf::simulation_result;
using sheaf::detail::admission;
using sheaf::detail::gate;
using sheaf::detail::threading;

class each_runs final : public sheaf::location_body {
 public:
  explicit each_runs(std::function<void(endpoint&)> f) : f_(std::move(f)) {}
  void run(endpoint& connection) override { f_(connection); }

 private:
  std::function<void(endpoint&)> f_;
};

simulation_result play_seed(std::uint64_t seed, std::function<void(endpoint&)> f, unsigned locations = 1) {
  sheaf::simulation s;
  s.job.transport = sheaf::transport_kind::sim;
  s.job.locations = locations;
  s.step_limit = s.quiet_limit = 20'000;
  sheaf::random_schedule decisions(seed);
  each_runs body(std::move(f));
  return simulate(s, decisions, body);
}

TEST(sim_threads, have_names_of_their_own_and_are_waited_for) {
  auto const r = play_seed(
      1,
      [](endpoint& at) {
        threading& threads = *at.threads;
        std::set<void const*> names{threads.self()};
        std::vector<std::uint64_t> running;
        int ended = 0;
        for (int i = 0; i < 3; ++i) {
          running.push_back(threads.start([&] {
            names.insert(threads.self());
            for (int k = 0; k < 5; ++k) threads.yield();
            ++ended;
          }));
        }
        for (std::uint64_t const one : running) threads.join(one);
        EXPECT_EQ(ended, 3);
        EXPECT_EQ(names.size(), 4u);
        threads.join(threads.start([] {}));
      },
      3);
  EXPECT_EQ(r.text, "");
}

TEST(sim_threads, wait_until_they_are_notified_or_their_time_is_up) {
  auto const r = play_seed(1, [](endpoint& at) {
    threading& threads = *at.threads;
    int bell = 0;
    std::uint64_t const began = at.now();
    std::uint64_t woken = 0, late = 0;
    auto const first = threads.start([&] {
      threads.wait(&bell, 0);
      woken = at.now();
    });
    auto const second = threads.start([&] {
      threads.wait(&late, began + 1'000'000);
      late = at.now();
    });
    threads.wait(&woken, began + 5000);  // nobody notifies this one
    EXPECT_EQ(woken, 0u);
    threads.notify(&bell);
    threads.join(first);
    threads.join(second);
    EXPECT_GE(woken, began + 5000);
    EXPECT_LT(woken, began + 1'000'000);
    EXPECT_GE(late, began + 1'000'000);
  });
  EXPECT_EQ(r.text, "");
}

TEST(sim_threads, that_nobody_notifies_are_a_deadlock) {
  auto const r = play_seed(1, [](endpoint& at) {
    int bell = 0;
    at.threads->join(at.threads->start([&] { at.threads->wait(&bell, 0); }));
  });
  EXPECT_EQ(r.how, ending::deadlock);
}

/// As helpers do: what they do by themselves must not hide that nothing happens.
TEST(sim_threads, that_look_again_and_again_do_not_hide_a_deadlock) {
  auto const r = play_seed(1, [](endpoint& at) {
    bool ends = false;
    auto const looks = at.threads->start([&] {
      while (!ends) at.threads->wait(&ends, at.now() + 1'000'000);
    });
    try {
      at.idle(0);
    } catch (sheaf::job_aborted const&) {
      ends = true;
      at.threads->join(looks);
    }
  });
  EXPECT_EQ(r.how, ending::livelock);
}

TEST(sim_threads, an_exception_of_one_fails_the_job_and_ends_all) {
  auto const r = play_seed(1, [](endpoint& at) {
    auto const other = at.threads->start([] { throw 1; });
    try {
      while (true) at.idle(0);
    } catch (sheaf::job_aborted const&) {
      at.threads->join(other);
      throw;
    }
  });
  EXPECT_EQ(r.how, ending::failed);
  EXPECT_NE(r.text.find("location 0 failed: an exception left a thread"), std::string::npos) << r.text;
}

TEST(sim_threads, the_same_seed_replays_the_same_run) {
  auto const program = [](endpoint& at) {
    gate g(at.threads);
    std::vector<std::uint64_t> running;
    for (int i = 0; i < 2; ++i) {
      running.push_back(at.threads->start([&] {
        for (int k = 0; k < 3; ++k) admission const inside(&g);
      }));
    }
    for (std::uint64_t const one : running) at.threads->join(one);
  };
  std::set<std::uint64_t> traces;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto const once = play_seed(seed, program, 2), again = play_seed(seed, program, 2);
    ASSERT_EQ(once.text, "");
    EXPECT_EQ(once.trace, again.trace);
    traces.insert(once.trace);
  }
  EXPECT_GT(traces.size(), 30u) << "threads run in one order only";
}

/// Inside, each loses its core; so the gate alone keeps the others out.
TEST(sim_threads, one_at_a_time_is_inside_a_gate) {
  std::uint64_t waited = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto const r = play_seed(seed, [&](endpoint& at) {
      threading& threads = *at.threads;
      gate g(&threads);
      bool somebody = false;
      auto const go_in = [&] {
        for (int k = 0; k < 4; ++k) {
          waited += somebody;
          admission const inside(&g);
          admission const twice(&g);
          EXPECT_FALSE(std::exchange(somebody, true));
          EXPECT_TRUE(g.held_by_me());
          threads.yield();
          somebody = false;
        }
      };
      auto const one = threads.start(go_in), other = threads.start(go_in);
      go_in();
      threads.join(one);
      threads.join(other);
    });
    EXPECT_EQ(r.text, "");
  }
  EXPECT_GT(waited, 30u) << "nobody ever met another";
}

TEST(sim_threads, one_that_is_parked_hears_a_call) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto const r = play_seed(seed, [](endpoint& at) {
      gate g(at.threads);
      bool done = false;
      auto const parked = at.threads->start([&] {
        admission const inside(&g);
        while (!done) g.park(0);
      });
      {
        admission const inside(&g);
        done = true;
        g.call();
      }
      at.threads->join(parked);
    });
    EXPECT_EQ(r.text, "") << seed;
  }
}

/// A ring is heard by who is at the bell, or has said inside the gate that it goes there.
TEST(sim_threads, a_ring_from_inside_the_gate_is_not_lost) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto const r = play_seed(seed, [](endpoint& at) {
      gate g(at.threads);
      at.share(&g);
      bool resting = false, done = false;
      auto const other = at.threads->start([&] {
        admission const inside(&g);
        done = true;
        if (resting) at.wake();
      });
      {
        admission const inside(&g);
        for (resting = true; !done;) at.idle(0);
      }
      at.threads->join(other);
    });
    EXPECT_EQ(r.text, "") << seed;
  }
}

}  // namespace
