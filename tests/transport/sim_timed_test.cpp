// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Timed plays of the simulator: what entries cost, to the nanosecond.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/threading.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/transport/simulator.hpp"
#include "transport/host/sanitizers.hpp"
#include "transport/sim/sim_clock.hpp"

namespace {

using namespace sheaf;

using times = std::vector<std::uint64_t>;
using body = std::function<void(endpoint&)>;

constexpr loggp costs{.latency_ns = 1000, .overhead_ns = 100, .gap_ns = 30, .byte_ps = 10'000};
constexpr std::uint64_t one_way = 1000 + 80;  // of 8 bytes from interface to interface

/// A timed play draws nothing.
class no_decisions final : public schedule {
 public:
  std::uint32_t choose(std::uint32_t) override {
    ADD_FAILURE() << "a timed play asked for a decision";
    return 0;
  }
  [[nodiscard]] std::string describe() const override { return "nothing"; }
};

class each_runs final : public location_body {
 public:
  explicit each_runs(body f) : f_(std::move(f)) {}
  void run(endpoint& connection) override { f_(connection); }

 private:
  body f_;
};

simulation timed(unsigned locations, loggp const& of = costs) {
  simulation s;
  s.job.locations = locations;
  s.order = play::timed;
  s.costs = of;
  return s;
}

simulation_result run(simulation const& settings, body f) {
  no_decisions none;
  each_runs all(std::move(f));
  return simulate(settings, none, all);
}

/// Runs one function on each location; all must return.
simulation_result run_each(simulation const& settings, std::vector<body> const& programs) {
  simulation_result r = run(settings, [&](endpoint& at) { programs[number(at.self())](at); });
  EXPECT_EQ(r.text, "");
  return r;
}

std::uint64_t since_start(endpoint& at) { return at.now() - simulation::first_ns; }

/// False: refused.
bool try_send(endpoint& from, std::uint32_t dest, std::size_t bytes = 8) {
  std::vector<std::byte> const content(bytes);
  if (bytes <= from.inline_capacity()) return from.send_inline(location_id{dest}, traffic::request, content);
  buffer b = from.acquire(location_id{dest}, bytes);
  b.set_size(bytes);
  return from.send(location_id{dest}, traffic::request, b);
}

void send(endpoint& from, std::uint32_t dest, std::size_t bytes = 8) {
  while (!try_send(from, dest, bytes)) from.idle(0);
}

/// The receiver's clock once it has the next entry.
std::uint64_t take(endpoint& at) {
  arrival in;
  for (std::uint32_t round = 0; !at.receive(wanted::all, in); ++round) at.idle(round);
  at.consumed(in.source, in.kind);
  return since_start(at);
}

times take_all(endpoint& at, int count) {
  times all;
  for (int i = 0; i < count; ++i) all.push_back(take(at));
  return all;
}

/// Everybody sends to everybody, computes for a while of its own, and takes what was sent to it.
void exchange_all(endpoint& at) {
  for (std::uint32_t d = 0; d < at.size(); ++d) send(at, d, 8 + 40 * number(at.self()));
  charge(700 * number(at.self()));
  take_all(at, static_cast<int>(at.size()));
}

// ---- The parameters -----------------------------------------------------------------------------------------------

TEST(sim_timed, a_round_trip_takes_four_overheads_two_latencies_and_the_bytes_twice) {
  constexpr std::uint64_t round_trip = 2 * (2 * costs.overhead_ns + one_way);
  simulation_result const r = run_each(timed(2), {[](endpoint& at) {
                                                    for (std::uint64_t i = 1; i <= 10; ++i) {
                                                      send(at, 1);
                                                      EXPECT_EQ(take(at), i * round_trip);
                                                    }
                                                  },
                                                  [](endpoint& at) {
                                                    for (int i = 0; i < 10; ++i) {
                                                      take(at);
                                                      send(at, 0);
                                                    }
                                                  }});
  EXPECT_EQ(r.virtual_ns, simulation::first_ns + 10 * round_trip);
  EXPECT_EQ(r.entries, 20u);
}

TEST(sim_timed, a_burst_is_limited_by_the_largest_of_overhead_gap_and_bytes) {
  struct limit {
    loggp of;
    std::uint64_t period;
  };
  for (limit const& l : {limit{{1000, 100, 30, 10'000}, 100},     // o
                         limit{{1000, 100, 500, 10'000}, 500},    // g
                         limit{{1000, 100, 30, 25'000}, 200}}) {  // G: of 8 bytes
    std::uint64_t const first = 100 + 1000 + l.of.transfer_ns(8) + 100;
    run_each(timed(2, l.of), {[](endpoint& at) {
                                for (std::uint64_t i = 1; i <= 10; ++i) {
                                  send(at, 1);
                                  EXPECT_EQ(since_start(at), 100 * i) << "a sender is busy for the overhead only";
                                }
                              },
                              [&](endpoint& at) {
                                for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(take(at), first + i * l.period);
                              }});
  }
}

TEST(sim_timed, a_large_buffer_takes_as_long_as_its_bytes_and_what_follows_waits) {
  constexpr std::size_t bytes = 100'000;  // a millisecond
  run_each(
      timed(2),
      {[](endpoint& at) {
         send(at, 1, bytes);
         send(at, 1, bytes);
         send(at, 1);
         EXPECT_EQ(since_start(at), 300u);
       },
       [](endpoint& at) {
         EXPECT_EQ(take_all(at, 3), (times{100 + 1'001'000 + 100, 100 + 2'001'000 + 100, 100 + 2'001'080 + 100 + 20}))
             << "the last one came 80 behind, while the location was busy with the overhead of 100";
       }});
}

TEST(sim_timed, entries_of_several_senders_share_the_receivers_interface) {
  loggp slow = costs;
  slow.gap_ns = 400;
  auto const sends = [](std::size_t bytes) { return [bytes](endpoint& at) { send(at, 0, bytes); }; };
  run_each(timed(4, slow), {[](endpoint& at) {
                              EXPECT_EQ(take_all(at, 3), (times{1280, 1680, 2080}));
                            },
                            sends(8), sends(8), sends(8)});
  // 1000 bytes take 10,000: the small one is behind them, and another large one behind both.
  run_each(timed(4, slow), {[](endpoint& at) {
                              EXPECT_EQ(take_all(at, 3), (times{11'200, 11'300, 21'600}));
                            },
                            sends(1000),
                            [](endpoint& at) {
                              charge(50);
                              send(at, 0);
                            },
                            [](endpoint& at) {
                              charge(60);
                              send(at, 0, 1000);
                            }});
}

TEST(sim_timed, what_leaves_for_different_locations_shares_the_senders_interface) {
  auto const takes_at = [](std::uint64_t when) { return [when](endpoint& at) { EXPECT_EQ(take(at), when); }; };
  run_each(timed(3), {[](endpoint& at) {
                        send(at, 1, 1000);
                        send(at, 2);
                      },
                      takes_at(100 + 11'000 + 100), takes_at(100 + 10'000 + one_way + 100)});
}

TEST(sim_timed, an_entry_behind_another_one_takes_its_own_time) {
  run_each(timed(2), {[](endpoint& at) {
                        send(at, 1);
                        charge(500);
                        send(at, 1);
                      },
                      [](endpoint& at) {
                        EXPECT_EQ(take_all(at, 2), (times{100 + one_way + 100, 700 + one_way + 100}));
                      }});
}

TEST(sim_timed, bytes_below_a_nanosecond_are_rounded_up) {
  constexpr loggp fast{.latency_ns = 0, .overhead_ns = 0, .gap_ns = 0, .byte_ps = 80};
  static_assert(fast.transfer_ns(0) == 0 && fast.transfer_ns(1) == 1 && fast.transfer_ns(12) == 1);
  static_assert(fast.transfer_ns(13) == 2 && fast.transfer_ns(100'000) == 8000);
}

TEST(sim_timed, a_credit_is_back_a_latency_after_its_entry_was_consumed) {
  simulation s = timed(2);
  s.job.ring_slots = 1;
  auto const takes_two = [](endpoint& at) { take_all(at, 2); };
  auto const computes = [&s, takes_two](bool asks) {
    run_each(s, {[asks](endpoint& at) {
                   send(at, 1);
                   charge(5000);
                   EXPECT_EQ(asks ? at.backlog(location_id{1}, traffic::request) : 0, 0u);
                   EXPECT_TRUE(try_send(at, 1)) << "the credit came while the sender computed";
                   EXPECT_EQ(since_start(at), 100u + 5000 + 100);
                 },
                 takes_two});
  };
  computes(true);
  computes(false);
  run_each(s, {[](endpoint& at) {
                 send(at, 1);
                 EXPECT_FALSE(try_send(at, 1));
                 at.idle(0);
                 EXPECT_EQ(since_start(at), 100 + one_way + 100 + 1000);
                 EXPECT_TRUE(try_send(at, 1));
               },
               takes_two});
}

TEST(sim_timed, credits_of_a_pair_come_each_in_its_time) {
  simulation s = timed(2);
  s.job.ring_slots = 2;
  run_each(s, {[](endpoint& at) {
                 times sent;
                 for (int i = 0; i < 4; ++i) {
                   send(at, 1);
                   sent.push_back(since_start(at));
                 }
                 EXPECT_EQ(sent, (times{100, 200, 2280 + 100, 2680 + 100}));
               },
               [](endpoint& at) {
                 EXPECT_EQ(take(at), 1280u);
                 charge(300);
                 EXPECT_EQ(take(at), 1680u);
                 take_all(at, 2);
               }});
}

// ---- Computing ----------------------------------------------------------------------------------------------------

TEST(sim_timed, an_entry_waits_while_its_receiver_computes) {
  simulation_result const r = run_each(timed(2), {[](endpoint& at) { send(at, 1); },
                                                  [](endpoint& at) {
                                                    charge(10'000);
                                                    EXPECT_EQ(take(at), 10'100u);
                                                    charge(7);
                                                  }});
  EXPECT_EQ(r.virtual_ns, simulation::first_ns + 10'107);
}

TEST(sim_timed, ends_with_the_latest_clock_whoever_runs_last) {
  auto const computes = [](std::uint64_t ns) { return [ns](endpoint&) { charge(ns); }; };
  EXPECT_EQ(run_each(timed(3), {computes(10), computes(5000), computes(20)}).virtual_ns, simulation::first_ns + 5000);
}

TEST(sim_timed, a_poll_sees_what_came_before_its_time_and_nothing_else) {
  run_each(timed(2), {[](endpoint& at) {  // runs first, far ahead of the sender
                        arrival in;
                        charge(100 + one_way - 1);
                        EXPECT_FALSE(at.receive(wanted::all, in));
                        charge(2);
                        EXPECT_TRUE(at.receive(wanted::all, in));
                        EXPECT_EQ(since_start(at), 100 + one_way + 1 + 100);
                      },
                      [](endpoint& at) { send(at, 0); }});
}

TEST(sim_timed, computing_is_no_livelock) {
  simulation s = timed(2);
  s.quiet_limit = 100;
  auto const polls = [](endpoint& at) {
    for (int i = 0; i < 1000; ++i) {
      arrival in;
      charge(10);
      EXPECT_FALSE(at.receive(wanted::all, in));
    }
  };
  EXPECT_GT(run_each(s, {polls, polls}).steps, 500u);
}

TEST(sim_timed, threads_of_a_location_share_its_clock) {
  run_each(timed(1), {[](endpoint& at) {
             std::uint64_t const other = at.threads->start([] { charge(500); });
             charge(300);
             at.threads->join(other);
             EXPECT_EQ(since_start(at), 800u);
           }});
}

TEST(sim_timed, charge_does_nothing_elsewhere) {
  charge(1000);
  auto const virtual_ns = [](std::uint64_t computing) {
    simulation s = timed(2);
    s.order = play::uniform;
    random_schedule decisions(1);
    each_runs all([&](endpoint& at) {
      charge(computing);
      exchange_all(at);
    });
    return simulate(s, decisions, all).virtual_ns;
  };
  EXPECT_EQ(virtual_ns(0), virtual_ns(1'000'000));
}

TEST(sim_timed, charge_finds_the_simulator_that_runs_within_another) {
  run_each(timed(1), {[](endpoint& outer) {
             charge(5);
             run_each(timed(1), {[](endpoint& inner) {
                        charge(70);
                        EXPECT_EQ(since_start(inner), 70u);
                      }});
             charge(6);
             EXPECT_EQ(since_start(outer), 11u);
           }});
}

// ---- Waiting ------------------------------------------------------------------------------------------------------

TEST(sim_timed, deadlines_come_in_time_between_entries) {
  run_each(timed(2), {[](endpoint& at) { send(at, 1); },
                      [](endpoint& at) {
                        at.idle(0, simulation::first_ns + 700);
                        EXPECT_EQ(since_start(at), 700u);
                        at.idle(0, simulation::first_ns + 5000);
                        EXPECT_EQ(since_start(at), 100 + one_way);
                        take(at);
                        at.idle(0);  // it has received something since the last one
                        at.idle(0, simulation::first_ns + 5000);
                        EXPECT_EQ(since_start(at), 5000u);
                      }});
}

TEST(sim_timed, a_deadline_before_the_clock_of_another_location_comes_first) {
  run_each(timed(2), {[](endpoint& at) {
                        at.idle(0, simulation::first_ns + 700);
                        send(at, 1);
                      },
                      [](endpoint& at) {
                        arrival in;
                        charge(2000);
                        EXPECT_TRUE(at.receive(wanted::all, in)) << "sent at 700";
                      }});
}

TEST(sim_timed, loops_that_poll_or_look_at_the_clock_end) {
  run_each(timed(2), {[](endpoint& at) {
                        arrival in;
                        while (!at.receive(wanted::all, in)) {
                        }
                        EXPECT_EQ(since_start(at), 1200u + 100) << "it polls until 1180 in steps of 50";
                        std::uint64_t const now = at.now();
                        while (at.now() < now + 100) {
                        }
                        EXPECT_EQ(at.now(), now + 105);
                        at.idle(0, now);  // free, as it has received something
                        for (int i = 0; i < 10; ++i) at.idle(0, now);
                        EXPECT_EQ(at.now(), now + 105 + 500) << "a wait until a time that has passed takes 50";
                      },
                      [](endpoint& at) { send(at, 0); }});
}

TEST(sim_timed, waits_until_deadlines_are_no_livelock) {
  simulation s = timed(2);
  s.quiet_limit = 100;
  run_each(s, {[](endpoint& at) {
                 for (std::uint64_t i = 1; i <= 1000; ++i) at.idle(0, simulation::first_ns + 10 * i);
                 EXPECT_EQ(since_start(at), 10'000u);
               },
               [](endpoint& at) {
                 arrival in;
                 charge(50'000);
                 EXPECT_FALSE(at.receive(wanted::all, in));
               }});
}

TEST(sim_timed, a_deadlock_is_found_and_names_the_costs) {
  simulation_result const r = run(timed(2), [](endpoint& at) {
    send(at, 1 - number(at.self()));
    charge(1'000'000);
    take_all(at, 2);
  });
  EXPECT_EQ(r.how, ending::deadlock);
  EXPECT_NE(r.text.find("cannot come: 0, 1 of 2 locations"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("nothing with play::timed, costs {1000, 100, 30, 10000}"), std::string::npos) << r.text;
}

TEST(sim_timed, two_that_only_poll_are_a_livelock) {
  simulation s = timed(2);
  s.quiet_limit = 1000;
  simulation_result const r = run(s, [](endpoint& at) {
    arrival in;
    while (!at.receive(wanted::all, in)) {
    }
  });
  EXPECT_EQ(r.how, ending::livelock);
}

TEST(sim_timed, a_failure_ends_the_job_for_all) {
  simulation_result const r = run(timed(3), [](endpoint& at) {
    charge(1000);
    if (number(at.self()) == 1) at.fail("out of flour");
    take(at);
  });
  EXPECT_EQ(r.how, ending::failed);
  EXPECT_NE(r.text.find("location 1 failed: out of flour"), std::string::npos) << r.text;
}

// ---- The same run again -------------------------------------------------------------------------------------------

TEST(sim_timed, equal_costs_give_equal_runs_and_others_other_ones) {
  no_decisions none;
  each_runs all(exchange_all);
  simulator reused(timed(7));
  simulation_result const first = reused.run(none, all);
  ASSERT_EQ(first.text, "");
  EXPECT_EQ(first.dropped, 0u);
  for (simulation_result const& again : {reused.run(none, all), run(timed(7), exchange_all)}) {
    EXPECT_EQ(again.trace, first.trace);
    EXPECT_EQ(again.steps, first.steps);
    EXPECT_EQ(again.virtual_ns, first.virtual_ns);
  }
  for (std::uint64_t loggp::*one : {&loggp::latency_ns, &loggp::overhead_ns, &loggp::gap_ns, &loggp::byte_ps}) {
    loggp other = costs;
    other.*one *= 10;
    EXPECT_NE(run(timed(7, other), exchange_all).trace, first.trace);
  }
}

TEST(sim_timed, the_trace_tells_times_apart) {
  auto const trace_of = [](std::uint64_t computing) {
    simulation_result const r = run_each(timed(2), {[computing](endpoint& at) {
                                                      charge(computing);
                                                      send(at, 1);
                                                    },
                                                    [](endpoint& at) {
                                                      take(at);
                                                      at.idle(0);
                                                      at.idle(0, simulation::first_ns + 9000);
                                                    }});
    EXPECT_EQ(r.virtual_ns, simulation::first_ns + 9000);
    return r.trace;
  };
  EXPECT_NE(trace_of(10), trace_of(20));
}

TEST(sim_timed, a_simulator_is_as_new_after_a_failed_run) {
  no_decisions none;
  each_runs all(exchange_all), stuck([](endpoint&at) {
    send(at, 0);
    if (number(at.self()) != 0) take(at);
    at.fail("on purpose");
  });
  simulator reused(timed(5));
  EXPECT_EQ(reused.run(none, stuck).how, ending::failed);
  EXPECT_EQ(reused.run(none, all).trace, run(timed(5), exchange_all).trace);
}

TEST(sim_timed, a_token_takes_as_long_as_its_hops) {
  unsigned const n = SHEAF_HAS_TSAN ? 500 : 8192;
  simulation_result const r = run(timed(n), [](endpoint& at) {
    std::uint32_t const me = number(at.self());
    if (me != 0) take(at);
    send(at, (me + 1) % at.size());
    if (me != 0) return;
    EXPECT_EQ(take(at), at.size() * (2 * costs.overhead_ns + one_way));
  });
  EXPECT_EQ(r.text, "");
}

TEST(timetable, gives_the_earliest_and_at_one_time_the_lowest_label) {
  detail::timetable t;
  EXPECT_EQ(t.earliest(), detail::timetable::never);
  for (std::uint64_t i = 0; i < 1000; ++i) t.add({i * 7919 % 100, i * 104'729 % 1000, nullptr});
  std::pair<std::uint64_t, std::uint64_t> last{0, 0};
  for (int i = 0; i < 1000; ++i) {
    std::uint64_t const announced = t.earliest();
    auto const [when, label, what] = t.take();
    EXPECT_EQ(when, announced);
    EXPECT_LE(last, std::pair(when, label));
    last = {when, label};
  }
  EXPECT_TRUE(t.empty());
}

}  // namespace
