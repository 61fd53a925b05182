// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/sim_side.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/explorer.hpp"
#include "sheaf/base/error.hpp"

namespace {

using namespace sheaf;
using namespace sheaf_test;
using detail::side_context;
using detail::side_wire;

struct note {
  char what = 't';  ///< t: it is kept; a: it is sent back as t
  std::uint32_t number = 0;
  bool operator==(note const&) const = default;
};

/// What servers have taken, by process and source. Of the present run; they are gone at its end.
struct books {
  std::vector<note> of[4][4];
} book;

class keeping final : public detail::side_server {
 public:
  explicit keeping(side_context const& of) : of_(of) {}

  bool take(std::uint32_t from, std::span<std::byte const> message) noexcept override {
    note n;
    std::memcpy(&n, message.data(), sizeof n);
    if (n.what == 'a') {
      n.what = 't';
      of_.wire.send(from, std::as_bytes(std::span(&n, 1)));
      return false;
    }
    book.of[of_.first_location / of_.locations][from].push_back(n);
    return true;
  }

 private:
  side_context const of_;
};

struct keepers {
  keepers() {
    book = {};
    detail::side_server_maker = [](side_context const& of) -> std::unique_ptr<detail::side_server> {
      return std::make_unique<keeping>(of);
    };
  }
  keepers(keepers const&) = delete;
  keepers& operator=(keepers const&) = delete;
  ~keepers() { detail::side_server_maker = before; }
  detail::make_side_server const before = detail::side_server_maker;
};

using program = std::function<void(endpoint&)>;

struct programs final : location_body {
  explicit programs(program f) : play(std::move(f)) {}
  void run(endpoint& at) override { play(at); }
  program play;
};

simulation on_hosts(unsigned locations, unsigned hosts, unsigned threads = 1) {
  simulation s;
  s.job.locations = locations;
  s.job.hosts = hosts;
  s.job.threads = threads;
  return s;
}

simulation_result run(simulation const& settings, std::uint64_t seed, program f) {
  random_schedule decisions(seed);
  programs all(std::move(f));
  return simulate(settings, decisions, all);
}

void send(endpoint& at, std::uint32_t to, note n, std::size_t more = 0) {
  std::vector<std::byte> const rest(more);
  at.side->send(to, std::as_bytes(std::span(&n, 1)), rest);
}

std::uint32_t process_of(endpoint& at) { return number(at.self()) / at.lanes(); }

/// Until so many have come from a process.
void await(endpoint& at, std::uint32_t from, std::size_t count) {
  for (std::uint32_t round = 0; book.of[process_of(at)][from].size() < count; ++round) at.idle(round);
}

TEST(sim_side, there_is_none_where_nobody_is_far) {
  keepers const with;
  for (unsigned const hosts : {0u, 1u}) {
    EXPECT_EQ(run(on_hosts(4, hosts), 1, [](endpoint& at) { EXPECT_EQ(at.side, nullptr); }).text, "");
  }
  EXPECT_EQ(run(on_hosts(4, 2, 2), 1, [](endpoint& at) { EXPECT_NE(at.side, nullptr); }).text, "");
}

TEST(sim_side, messages_of_a_pair_come_once_in_order_for_every_seed) {
  constexpr std::uint32_t count = 12;
  std::set<std::string> orders;  // in which those of two sources came together
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    keepers const with;
    simulation_result const r = run(on_hosts(3, 3), seed, [&](endpoint& at) {
      for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t to = 0; to < 3; ++to) {
          if (to != process_of(at)) send(at, to, {'t', i}, i % 3 * 100);
        }
      }
      for (std::uint32_t from = 0; from < 3; ++from) {
        if (from != process_of(at)) await(at, from, count);
      }
      std::string order;
      for (std::uint32_t from = 0; from < 3; ++from) order += std::to_string(book.of[0][from].size()) + ' ';
      orders.insert(order);
    });
    ASSERT_EQ(r.text, "");
    for (std::uint32_t pair = 0; pair < 9; ++pair) {
      std::vector<note> expected;
      for (std::uint32_t i = 0; i < count && pair % 3 != pair / 3; ++i) expected.push_back({'t', i});
      ASSERT_TRUE(book.of[pair % 3][pair / 3] == expected) << "seed " << seed;
    }
  }
  EXPECT_GT(orders.size(), 20u) << "all seeds play alike";
}

TEST(sim_side, equal_seeds_give_equal_runs) {
  auto const play = [](std::uint64_t seed) {
    keepers const with;
    return run(on_hosts(4, 2, 2), seed,
               [](endpoint& at) {
                 for (std::uint32_t i = 0; i < 5; ++i) send(at, 1 - process_of(at), {'a', i});
                 await(at, 1 - process_of(at), 10);
               })
        .trace;
  };
  EXPECT_EQ(play(7), play(7));
  EXPECT_NE(play(7), play(8));
}

TEST(sim_side, a_location_that_waits_wakes_when_an_answer_has_come) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    keepers const with;
    simulation_result const r = run(on_hosts(2, 2), seed, [](endpoint& at) {
      if (process_of(at) == 1) return;  // a server needs no location that runs
      for (std::uint32_t i = 0; i < 3; ++i) {
        send(at, 1, {'a', i});
        await(at, 1, i + 1);
      }
    });
    ASSERT_EQ(r.text, "");
  }
}

TEST(sim_side, what_was_sent_before_the_end_arrives_and_so_do_answers) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    keepers const with;
    simulation_result const r = run(on_hosts(2, 2), seed, [](endpoint& at) { send(at, 1 - process_of(at), {'a', 1}); });
    ASSERT_EQ(r.text, "");
    ASSERT_EQ(book.of[0][1].size() + book.of[1][0].size(), 2u);
  }
}

TEST(sim_side, what_travels_is_counted) {
  keepers const with;
  EXPECT_EQ(run(on_hosts(2, 2), 1,
                [](endpoint& at) {
                  if (process_of(at) != 0) return;
                  EXPECT_EQ(at.side->queued(1), 0u);
                  send(at, 1, {'a', 1}, 92);
                  EXPECT_EQ(at.side->sent(1), 1u);
                  await(at, 1, 1);
                  EXPECT_EQ(at.side->queued(1), 0u);
                  EXPECT_EQ(at.side->taken(1), 1u);
                })
                .text,
            "");
}

TEST(sim_side, a_job_that_fails_with_messages_under_way_leaves_nothing_to_the_next_one) {
  keepers const with;
  simulator sims(on_hosts(2, 2));
  programs all([](endpoint& at) {
    for (std::uint32_t i = 0; i < 20; ++i) send(at, 1 - process_of(at), {'a', i});
    if (process_of(at) == 0) at.fail("deliberate");
    for (std::uint32_t round = 0;; ++round) at.idle(round);
  });
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    random_schedule decisions(seed);
    simulation_result const r = sims.run(decisions, all);
    EXPECT_EQ(r.how, ending::failed);
    EXPECT_NE(r.text.find("deliberate"), std::string::npos);
  }
}

TEST(sim_side, timed_messages_take_what_entries_take) {
  keepers const with;
  simulation s = on_hosts(2, 2);
  s.order = play::timed;
  s.costs = {.latency_ns = 1000, .overhead_ns = 100, .gap_ns = 30, .byte_ps = 10'000};
  constexpr std::uint64_t bytes = 1000, transfer = bytes * 10;
  std::uint64_t first = 0, third = 0;
  EXPECT_EQ(run(s, 1,
                [&](endpoint& at) {
                  if (process_of(at) != 0) return;
                  std::uint64_t const begun = at.now();
                  send(at, 1, {'a', 0}, bytes - sizeof(note));
                  await(at, 1, 1);
                  first = at.now() - begun;
                  std::uint64_t const again = at.now();
                  for (std::uint32_t i = 0; i < 3; ++i) send(at, 1, {'a', i}, bytes - sizeof(note));
                  await(at, 1, 4);
                  third = at.now() - again;
                })
                .text,
            "");
  std::uint64_t const answer = 1000 + sizeof(note) * 10;  // by the network card: no overhead
  EXPECT_EQ(first, 100 + 1000 + transfer + answer);
  EXPECT_EQ(third, 100 + 1000 + 3 * transfer + answer) << "one after another through one interface";
}

/// Each location puts a value into both books, and returns once it has seen all.
struct both_orders final : repeated_body {
  std::set<std::string> seen;

  void begin() override { book = {}; }
  void run(endpoint& at) override {
    std::uint32_t const self = process_of(at);
    if (self == 2) return;
    send(at, 2, {'a', self});
    send(at, 2, {'t', self});
    await(at, 2, 1);
  }
  void check() override {
    if (book.of[2][0].size() != 1 || book.of[2][1].size() != 1) throw error("a message is missing");
    if (book.of[0][2] != std::vector{note{'t', 0}}) throw error("an answer is missing");
  }
};

TEST(sim_side, explored_schedules_replay_and_reach_servers_whose_location_has_returned) {
  keepers const with;
  both_orders body;
  exploration const found = explore_body(on_hosts(3, 3), body, 200'000);
  EXPECT_EQ(found.text, "");
  EXPECT_TRUE(found.complete);
  EXPECT_GT(found.schedules, 10u);
}

/// Wrong where the server of process 2 hears 1 before 0.
struct order_matters final : repeated_body {
  void begin() override { book = {}; }
  void run(endpoint& at) override {
    if (process_of(at) != 2) return send(at, 2, {'t', process_of(at)});
    while (book.of[2][0].empty() && book.of[2][1].empty()) at.idle(0);
    if (book.of[2][0].empty()) at.fail("1 was first");
  }
  void check() override {}
};

TEST(sim_side, an_order_that_is_found_wrong_is_repeated_by_its_choices) {
  keepers const with;
  order_matters body;
  simulation const s = on_hosts(3, 3);
  exploration const found = explore_body(s, body, 10'000);
  ASSERT_TRUE(found.failed);
  simulation plain = s;
  plain.order = play::plain;
  replay_schedule same(found.choices);
  body.begin();
  EXPECT_EQ(simulate(plain, same, body).how, ending::failed);
}

}  // namespace
