// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/scheduler.hpp"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <stdexcept>
#include <string>

#include "sheaf/base/error.hpp"
#include "transport/host/sanitizers.hpp"

namespace {

using namespace sheaf;

simulation with(unsigned locations, play order = play::mixed) {
  simulation s;
  s.job.locations = locations;
  s.order = order;
  return s;
}

void send_byte(endpoint& from, std::uint32_t dest, char value = 'x') {
  while (!from.send_inline(location_id{dest}, traffic::request, std::as_bytes(std::span(&value, 1)))) from.idle(0);
}

char take_byte(endpoint& at) {
  arrival in;
  for (std::uint32_t round = 0; !at.receive(wanted::all, in); ++round) at.idle(round);
  auto const value = static_cast<char>(in.bytes[0]);
  at.consumed(in.source, in.kind);
  return value;
}

/// A body from a callable of the endpoint.
template <class Function>
struct body_of final : location_body {
  Function function;
  explicit body_of(Function f) : function(f) {}
  void run(endpoint& connection) override { function(connection); }
};

template <class Function>
simulation_result play_seed(simulation const& settings, std::uint64_t seed, Function function) {
  random_schedule decisions(seed);
  body_of body(function);
  return simulate(settings, decisions, body);
}

/// Everybody sends to everybody, a few times.
void gossip(endpoint& at) {
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t d = 0; d < at.size(); ++d) send_byte(at, d);
    for (std::uint32_t d = 0; d < at.size(); ++d) take_byte(at);
  }
}

// ---- The same seed, the same run ----------------------------------------------------------------------------------

TEST(scheduler, the_same_seed_replays_the_same_run) {
  std::set<std::uint64_t> traces;
  simulator reused(with(4));
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    simulation_result const first = play_seed(with(4), seed, gossip);
    simulation_result const second = play_seed(with(4), seed, gossip);
    random_schedule decisions(seed);
    body_of body(gossip);
    simulation_result const third = reused.run(decisions, body);
    ASSERT_EQ(first.how, ending::finished) << first.text;
    EXPECT_EQ(first.trace, second.trace);
    EXPECT_EQ(first.trace, third.trace);
    EXPECT_EQ(first.steps, third.steps);
    EXPECT_EQ(first.virtual_ns, third.virtual_ns);
    traces.insert(first.trace);
  }
  EXPECT_EQ(traces.size(), 50u) << "different seeds gave equal runs";
}

class scheduler_play : public testing::TestWithParam<play> {};

TEST_P(scheduler_play, finishes_and_delivers_everything) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    simulation_result const r = play_seed(with(5, GetParam()), seed, gossip);
    EXPECT_EQ(r.how, ending::finished) << r.text;
    EXPECT_EQ(r.entries, 75u);
    EXPECT_EQ(r.dropped, 0u);
  }
}

TEST_P(scheduler_play, lets_others_run_beside_one_that_polls_without_idling) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    simulation_result const r = play_seed(with(3, GetParam()), seed, [](endpoint& at) {
      if (number(at.self()) != 0) return send_byte(at, 0);
      arrival in;
      for (int got = 0; got < 2;) {
        if (!at.receive(wanted::all, in)) continue;
        at.consumed(in.source, in.kind);
        ++got;
      }
    });
    EXPECT_EQ(r.how, ending::finished) << r.text;
  }
}

INSTANTIATE_TEST_SUITE_P(plays, scheduler_play,
                         testing::Values(play::mixed, play::plain, play::uniform, play::oldest_first,
                                         play::newest_first, play::priorities, play::slow_one, play::timed),
                         [](auto const& i) { return "play" + std::to_string(static_cast<int>(i.param)); });

TEST(scheduler, seeds_reach_rare_orders) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    std::string order;
    play_seed(with(6), seed, [&](endpoint& at) {
      if (number(at.self()) != 0) return send_byte(at, 0, static_cast<char>('0' + number(at.self())));
      for (int i = 0; i < 5; ++i) order += take_byte(at);
    });
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 120u) << "of the 5! orders of five senders";
}

// ---- Deadlock, livelock, failure ----------------------------------------------------------------------------------

TEST(scheduler, a_deadlock_names_who_waits_and_how_to_see_it_again) {
  std::string reasons[3];
  simulation_result const r = play_seed(with(4), 77, [&](endpoint& at) {
    if (number(at.self()) == 3) return;
    if (number(at.self()) == 0) send_byte(at, 1);
    try {
      for (std::uint32_t round = 0;; ++round) {
        arrival in;
        while (at.receive(wanted::answers, in)) at.consumed(in.source, in.kind);
        at.idle(round);
      }
    } catch (job_aborted const& e) {
      reasons[number(at.self())] = e.what();
    }
  });
  EXPECT_EQ(r.how, ending::deadlock);
  EXPECT_NE(r.text.find("cannot come: 0, 1, 2 of 4 locations"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("did not receive: 1;"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=4"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("SHEAF_SEED=77"), std::string::npos) << r.text;
  for (std::string const& reason : reasons) EXPECT_EQ(reason, r.text);
}

TEST(scheduler, a_credit_that_will_come_is_no_deadlock_and_one_that_will_not_is) {
  simulation s = with(2);
  s.job.ring_slots = s.job.window = 1;
  for (int consumes : {0, 1}) {
    simulation_result const r = play_seed(s, 3, [&](endpoint& at) {
      if (number(at.self()) == 0) {
        send_byte(at, 1);
        return send_byte(at, 1);
      }
      arrival in;
      while (!at.receive(wanted::all, in)) at.idle(0);
      if (consumes != 0) at.consumed(in.source, in.kind);
      if (consumes == 0) at.idle(0);  // as the last arrival was news
      at.idle(1);
    });
    EXPECT_EQ(r.how, consumes != 0 ? ending::finished : ending::deadlock) << r.text;
  }
}

TEST(scheduler, two_that_only_poll_are_a_livelock) {
  simulation s = with(2);
  s.quiet_limit = 1000;
  simulation_result const r = play_seed(s, 5, [](endpoint& at) {
    arrival in;
    while (!at.receive(wanted::all, in)) {
    }
  });
  EXPECT_EQ(r.how, ending::livelock);
  EXPECT_NE(r.text.find("1000 steps in which nothing was sent or arrived; still running: 0, 1"), std::string::npos)
      << r.text;
}

TEST(scheduler, an_endless_exchange_is_a_livelock) {
  simulation s = with(2);
  s.step_limit = 5000;
  simulation_result const r = play_seed(s, 5, [](endpoint& at) {
    for (;;) {
      send_byte(at, 1 - number(at.self()));
      take_byte(at);
    }
  });
  EXPECT_EQ(r.how, ending::livelock);
  EXPECT_NE(r.text.find("more than 5000 steps"), std::string::npos) << r.text;
}

TEST(scheduler, an_exception_out_of_a_body_fails_the_job_for_all) {
  int told = 0;
  simulation_result const r = play_seed(with(3), 1, [&](endpoint& at) {
    if (number(at.self()) == 1) throw std::runtime_error("out of flour");
    try {
      take_byte(at);
    } catch (job_aborted const& e) {
      told += std::string(e.what()).find("location 1 failed: out of flour") != std::string::npos;
    }
  });
  EXPECT_EQ(r.how, ending::failed);
  EXPECT_EQ(told, 2);
}

TEST(scheduler, misuse_of_an_endpoint_is_told) {
  auto const reason = [](auto misuse) { return play_seed(with(2), 1, [&](endpoint& at) { misuse(at); }).text; };
  EXPECT_NE(reason([](endpoint& at) { send_byte(at, 2); }).find("location 2 does not exist: there are 0...1"),
            std::string::npos);
  EXPECT_NE(reason([](endpoint& at) { at.consumed(location_id{0}, traffic::request); }).find("does not hold"),
            std::string::npos);
  EXPECT_NE(reason([](endpoint& at) {
              std::byte const large[100] = {};
              at.send_inline(location_id{0}, traffic::request, large);
            }).find("an entry of 100 bytes cannot be sent: 1...56 fit"),
            std::string::npos);
}

// ---- Virtual time -------------------------------------------------------------------------------------------------

TEST(scheduler, time_jumps_to_the_earliest_deadline) {
  constexpr std::uint64_t hour = 3'600'000'000'000;
  std::string order;
  simulation_result const r = play_seed(with(3, play::uniform), 1, [&](endpoint& at) {
    std::uint64_t const deadline = at.now() + (3 - number(at.self())) * hour;
    while (at.now() < deadline) at.idle(0, deadline);
    order += static_cast<char>('0' + number(at.self()));
  });
  EXPECT_EQ(r.how, ending::finished) << r.text;
  EXPECT_EQ(order, "210");
  EXPECT_LT(r.steps, 20u);
  EXPECT_GT(r.virtual_ns, 3 * hour);
}

TEST(scheduler, a_loop_on_the_clock_ends) {
  simulation_result const r = play_seed(with(1), 1, [](endpoint& at) {
    std::uint64_t const end = at.now() + 10'000;
    while (at.now() < end) {
    }
  });
  EXPECT_EQ(r.how, ending::finished);
}

// ---- Many, and one within another ---------------------------------------------------------------------------------

TEST(scheduler, a_simulated_location_may_simulate) {
  simulation_result const r = play_seed(with(2), 1, [](endpoint& at) {
    simulation_result const inner = play_seed(with(3), 2, gossip);
    EXPECT_EQ(inner.how, ending::finished);
    gossip(at);
  });
  EXPECT_EQ(r.how, ending::finished);
}

TEST(scheduler, eight_thousand_locations_pass_a_token) {
  unsigned const n = SHEAF_HAS_TSAN ? 500 : 8192;
  simulation_result const r = play_seed(with(n), 9, [](endpoint& at) {
    std::uint32_t const next = (number(at.self()) + 1) % at.size();
    if (number(at.self()) == 0) send_byte(at, next);
    take_byte(at);
    if (number(at.self()) != 0) send_byte(at, next);
  });
  EXPECT_EQ(r.how, ending::finished) << r.text;
  EXPECT_EQ(r.entries, n);
}

}  // namespace
