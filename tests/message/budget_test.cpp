// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// A location's share of the budget: how many buffers are open, and which leave for others' room.
#include "base/buffer_budget.hpp"

#include <gtest/gtest.h>

#include "base/insight.hpp"
#include "message/probe.hpp"
#include "message/reports.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/message/statistics.hpp"

namespace {

using sheaf::flush_reason;
using sheaf::traffic;
using sheaf::transport_kind;
using sheaf_test::lone_location;
using sheaf_test::probe_value;
using sheaf_test::runs_of;
using sheaf_test::tag_of;

constexpr std::uint32_t others = 16;
constexpr std::size_t block = 256;

/// One of 16 locations, with room for so many open buffers, or with a budget of one byte.
struct budgeted : lone_location {
  explicit budgeted(std::size_t buffers) : lone_location(settings(buffers), true, others) {}
  static sheaf::options settings(std::size_t buffers) {
    sheaf::options o = sheaf_test::fake_settings();
    o.buffer_budget = buffers == 0 ? 1 : buffers * block * others;
    return o;
  }
  [[nodiscard]] std::uint64_t for_room() const {
    return sheaf::detail::reports(here).statistics().flushed(flush_reason::budget);
  }
  [[nodiscard]] std::uint64_t most_open() const { return sheaf::detail::reports(here).statistics().most.open_bytes; }
  /// A request as try_async issues it.
  bool try_put(std::uint32_t dest, std::uint64_t value) {
    std::byte* const to = here.request_box(dest).try_append(tag_of<probe_value>(), 8, 8);
    if (to != nullptr) std::memcpy(to, &value, 8);
    return to != nullptr;
  }
  /// What the transport was given for one destination, in order.
  [[nodiscard]] std::vector<std::uint64_t> sent_values(std::uint32_t dest) const {
    std::vector<std::uint64_t> all;
    for (auto const& e : net.sent) {
      if (e.dest != dest || e.kind != traffic::request) continue;
      for (auto const& run : runs_of(e.data)) {
        all.resize(all.size() + run.header.count);
        std::memcpy(&*all.end() - run.header.count, run.records.data(), run.records.size());
      }
    }
    return all;
  }
};

using values = std::vector<std::uint64_t>;

TEST(budget, is_divided_by_what_shares_a_process) {
  using sheaf::detail::budget_shares;
  EXPECT_EQ(budget_shares(transport_kind::thread, 12, 1), 12u);
  EXPECT_EQ(budget_shares(transport_kind::sim, 1000, 4), 1000u);
  EXPECT_EQ(budget_shares(transport_kind::mpi, 1000, 1), 2u) << "outboxes and packets";
  EXPECT_EQ(budget_shares(transport_kind::hybrid, 1000, 8), 16u) << "outboxes and packets of each";
}

TEST(budget, one_buffer_more_than_the_share_sends_one) {
  budgeted l(4);
  for (std::uint32_t dest = 0; dest < 4; ++dest) l.put(dest, dest);
  EXPECT_TRUE(l.net.sent.empty());
  l.put(4, 4);
  ASSERT_EQ(l.net.sent.size(), 1u);
  EXPECT_EQ(l.net.sent[0].dest, 0u) << "the oldest";
  EXPECT_EQ(l.for_room(), sheaf::detail::insight ? 1u : 0u);
  for (int i = 0; i < 10; ++i) l.put(4, 4);
  EXPECT_EQ(l.net.sent.size(), 1u) << "what is open takes more";
  EXPECT_EQ(l.net.blocks_in_use(), 4u);
}

TEST(budget, buffers_leave_in_their_turn) {
  budgeted l(4);
  for (std::uint64_t round = 0; round < 12; ++round) {
    for (std::uint32_t dest = 0; dest < others; ++dest) {
      l.put(dest, round);
      EXPECT_LE(l.net.blocks_in_use(), 4u);
      if (!l.net.sent.empty()) {
        EXPECT_NE(l.net.sent.back().dest, (dest + others - 1) % others) << "the youngest";
      }
    }
  }
  l.here.out().flush();
  values all(12);
  for (std::uint64_t round = 0; round < 12; ++round) all[round] = round;
  for (std::uint32_t dest = 0; dest < others; ++dest) EXPECT_EQ(l.sent_values(dest), all) << dest;
  if (sheaf::detail::insight) {
    EXPECT_EQ(l.most_open(), 4 * block);
  }
}

TEST(budget, below_one_buffer_leaves_one_open_at_a_time) {
  budgeted l(0);
  for (std::uint64_t i = 0; i < 48; ++i) {
    l.put(i % others, i);
    EXPECT_EQ(l.net.blocks_in_use(), 1u);
    EXPECT_EQ(l.net.sent.size(), i);
  }
  l.put_text(3, std::string(5000, 'x'));
  EXPECT_EQ(l.net.blocks_in_use(), 1u) << "also where it is larger than any other";
}

TEST(budget, counts_answers_and_requests_together) {
  budgeted l(2);
  l.put_answer(1, 7);
  l.put(1, 8);
  l.put_answer(2, 9);
  l.put(2, 10);
  EXPECT_EQ(l.net.blocks_in_use(), 2u);
  ASSERT_EQ(l.net.sent.size(), 2u);
  EXPECT_NE(l.net.sent[0].kind, l.net.sent[1].kind);
}

TEST(budget, a_buffer_that_was_sent_for_another_reason_takes_no_room) {
  budgeted l(2);
  for (std::uint32_t dest = 0; dest < others; ++dest) {
    l.put(dest, dest);
    l.here.request_box(dest).flush();
  }
  for (int i = 0; i < 100; ++i) l.put(5, 5);  // full ones
  EXPECT_TRUE(l.try_put(6, 6));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(l.try_put(6, 6));
  EXPECT_EQ(l.for_room(), 0u);
}

TEST(budget, a_buffer_behind_one_that_waits_for_credit_stays_open) {
  budgeted l(1);
  l.net.credits = 0;
  for (std::uint64_t i = 0; i < 40; ++i) l.put(1 + i % 4, i);
  EXPECT_EQ(l.here.out().reserve_used(), 4 * block) << "one of each, and not one for each turn";
  EXPECT_EQ(l.net.blocks_in_use(), 8u);
  EXPECT_EQ(l.for_room(), sheaf::detail::insight ? 4u : 0u);
  l.net.credits = ~std::size_t{0};
  while (!l.here.out().empty()) l.here.poll();
  for (std::uint64_t to = 0; to < 4; ++to) {
    values const got = l.sent_values(static_cast<std::uint32_t>(1 + to));
    ASSERT_EQ(got.size(), 10u);
    for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(got[i], to + 4 * i);
  }
}

TEST(budget, what_takes_nothing_from_the_reserve_lets_nobody_else_do_so) {
  budgeted l(1);
  l.net.credits = 0;
  for (std::uint64_t i = 0; i < 40; ++i) EXPECT_TRUE(l.try_put(1 + i % 4, i));
  EXPECT_EQ(l.here.out().reserve_used(), 0u);
  l.net.credits = ~std::size_t{0};
  EXPECT_TRUE(l.try_put(5, 0));
  EXPECT_EQ(l.net.sent.size(), 4u);
  EXPECT_EQ(l.sent_values(2), (values{1, 5, 9, 13, 17, 21, 25, 29, 33, 37}));
}

TEST(budget, a_method_that_runs_while_a_request_waits_for_credit_may_take_the_room) {
  budgeted l(0);
  l.object.on_value = [&](std::uint64_t v) {
    for (std::uint32_t dest = 0; dest < others; ++dest) l.put(dest, 1000 + v);
  };
  l.net.credits = 0;
  l.net.on_idle = [&] {
    if (l.object.values.empty()) return l.arrive(2, 1, 2, 3);
    l.net.credits = 3;
  };
  for (std::uint64_t i = 0; i < 400; ++i) l.put(1 + i % 2, i);
  l.net.credits = ~std::size_t{0};
  l.here.out().flush();
  l.work();
  EXPECT_TRUE(l.here.out().empty());
  EXPECT_EQ(l.net.blocks_in_use(), 0u);
  for (std::uint32_t dest = 0; dest < others; ++dest) {
    std::uint64_t own = dest - 1, methods = 1001;
    for (auto const v : l.sent_values(dest)) {
      EXPECT_EQ(v, v >= 1000 ? methods++ : std::exchange(own, own + 2)) << dest;
    }
    EXPECT_EQ(methods, 1004u);
    if (dest == 1 || dest == 2) {
      EXPECT_EQ(own, 399u + dest);
    }
  }
}

TEST(budget, explain_says_what_would_be_enough) {
  budgeted l(4);
  for (std::uint32_t dest = 0; dest < 4; ++dest) l.put(dest, 1);
  EXPECT_EQ(l.here.out().explain().find("SHEAF_BUFFER_BUDGET_BYTES"), std::string::npos);
  l.put(4, 1);
  if (!sheaf::detail::insight) return;
  l.here.out().flush();
  std::string const said = l.here.out().explain();
  EXPECT_NE(
      said.find("1 buffers were sent early, since others needed their room: this location may fill 1024 bytes of "
                "buffers at a time, its share of SHEAF_BUFFER_BUDGET_BYTES (16384); two for each destination it uses "
                "are 2560: set SHEAF_BUFFER_BUDGET_BYTES to 40960 or more, or a smaller SHEAF_BUFFER_BYTES\n"),
      std::string::npos)
      << said;
  EXPECT_NE(sheaf::detail::reports(l.here).statistics().text().find("answers 0, budget 1\n"), std::string::npos);
  EXPECT_NE(sheaf::detail::reports(l.here).statistics().text().find(" 4 buffers open with 1024 bytes, "),
            std::string::npos);
}

}  // namespace
