// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What aggregation sends, exactly.
#include <gtest/gtest.h>

#include "message/probe.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using sheaf::run_header;
using sheaf::traffic;
using sheaf_test::lone_location;

sheaf::options settings(std::size_t first, std::size_t most) {
  sheaf::options o;
  o.transport = sheaf::transport_kind::sim;
  o.locations = 4;
  o.buffer_bytes = most;
  o.first_flush_bytes = first;
  o.poll_every = 1u << 30;
  return o.resolved();
}

std::vector<std::size_t> sizes_sent(lone_location const& l) {
  std::vector<std::size_t> sizes;
  for (auto const& e : l.net.sent) sizes.push_back(e.data.size());
  return sizes;
}

TEST(aggregation, a_fixed_factor_sends_full_buffers_and_nothing_else) {
  for (std::size_t const most : {std::size_t{128}, std::size_t{1024}, std::size_t{8192}}) {
    std::size_t const each = (most - run_header::wire_bytes) / 8;
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, each - 1, each, each + 1, std::size_t{10'000}}) {
      lone_location l(settings(most, most));
      for (std::size_t i = 0; i < n; ++i) l.put(1, i);
      l.here.out().flush();
      std::size_t const buffers = (n + each - 1) / each;
      auto const& counts = l.net.counts();
      EXPECT_EQ(counts.buffers_sent[0] + counts.inline_sent[0], buffers);
      EXPECT_LE(counts.inline_sent[0], n % each == 0 || n % each > 4 ? 0u : 1u) << "the flush of a little";
      EXPECT_EQ(counts.bytes_sent[0], buffers * run_header::wire_bytes + n * 8);
      EXPECT_EQ(counts.buffers_sent[1] + counts.inline_sent[1], 0u);
    }
  }
}

TEST(aggregation, an_adaptive_size_grows_by_half_from_the_first_to_the_largest) {
  lone_location l(settings(64, 512));
  for (int i = 0; i < 5 + 9 + 15 + 24 + 38 + 58 + 61 + 61 + 1; ++i) l.put(1, 1);
  EXPECT_EQ(sizes_sent(l), (std::vector<std::size_t>{60, 92, 140, 212, 324, 484, 508, 508}));
}

TEST(aggregation, it_starts_again_where_the_location_had_nothing_to_do) {
  lone_location l(settings(64, 512));
  for (int i = 0; i < 5 + 9 + 1; ++i) l.put(1, 1);
  l.net.on_idle = [&] { l.arrive(2, 1); };
  l.here.wait(sheaf::detail::wait_kind::answer, [&] { return !l.object.values.empty(); });
  l.net.sent.clear();
  for (int i = 0; i < 5 + 9 + 1; ++i) l.put(1, 1);
  EXPECT_EQ(sizes_sent(l), (std::vector<std::size_t>{60, 92}));
}

TEST(aggregation, a_wait_for_credit_leaves_the_size) {
  lone_location l(settings(64, 512));
  for (int i = 0; i < 5 + 9 + 1; ++i) l.put(1, 1);
  l.net.on_idle = [&] { l.arrive(2, 1); };
  l.here.wait(sheaf::detail::wait_kind::credit, [&] { return !l.object.values.empty(); });
  l.net.sent.clear();
  for (int i = 0; i < 15 + 1; ++i) l.put(1, 1);
  EXPECT_EQ(sizes_sent(l), (std::vector<std::size_t>{140}));
}

TEST(aggregation, a_wait_that_finds_something_to_execute_leaves_the_size) {
  lone_location l(settings(64, 512));
  for (int i = 0; i < 5 + 9 + 1; ++i) l.put(1, 1);
  l.arrive(2, 1);
  l.here.wait(sheaf::detail::wait_kind::answer, [&] { return !l.object.values.empty(); });
  l.net.sent.clear();
  for (int i = 0; i < 15; ++i) l.put(1, 1);
  EXPECT_EQ(sizes_sent(l), (std::vector<std::size_t>{140}));
}

TEST(aggregation, destinations_adapt_apart) {
  lone_location l(settings(64, 512));
  for (int i = 0; i < 5 + 9 + 1; ++i) l.put(1, 1);
  for (int i = 0; i < 5 + 1; ++i) l.put(2, 1);
  EXPECT_EQ(sizes_sent(l), (std::vector<std::size_t>{60, 92, 60}));
}

TEST(aggregation, the_program_can_set_the_sizes) {
  lone_location l(settings(64, 512));
  l.here.set_aggregation(128, 128);
  for (int i = 0; i < 13 + 13 + 1; ++i) l.put(1, 1);
  EXPECT_EQ(sizes_sent(l), (std::vector<std::size_t>{124, 124}));
}

TEST(aggregation, each_flush_begins_at_another_destination) {
  lone_location l(settings(512, 512));
  std::vector<std::uint32_t> first;
  for (int round = 0; round < 8; ++round) {
    for (std::uint32_t dest = 0; dest < 4; ++dest) l.put(dest, 1);
    l.net.sent.clear();
    l.here.out().flush();
    ASSERT_EQ(l.net.sent.size(), 4u);
    first.push_back(l.net.sent[0].dest);
  }
  EXPECT_EQ(first, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(aggregation, a_change_of_method_costs_one_header) {
  lone_location l(settings(1024, 1024));
  for (std::uint64_t i = 0; i < 20; ++i) l.put(1, i, sheaf_test::tag_of<sheaf_test::probe_value>(1 + i % 2));
  l.here.out().flush();
  EXPECT_EQ(sizes_sent(l), (std::vector<std::size_t>{20 * (run_header::wire_bytes + 8)}));
}

TEST(aggregation, is_by_age_on_a_clock_that_is_given) {
  auto o = settings(1024, 1024);
  o.flush_age_ns = 1000;
  o.poll_every = 1;
  lone_location l(o);
  for (int i = 0; i < 10; ++i) {
    l.put(1, 1);
    l.net.clock += 100;
  }
  EXPECT_TRUE(l.net.sent.empty());
  l.put(1, 1);
  EXPECT_EQ(sizes_sent(l), (std::vector<std::size_t>{run_header::wire_bytes + 10 * 8}));
}

}  // namespace
