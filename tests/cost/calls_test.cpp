// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Entries and bytes of remote calls, fences and the sort, counted in the simulator.
#include <bit>

#include "rmi/jobs.hpp"
#include "sheaf/algorithm/sample_sort.hpp"
#include "sheaf/rmi/reply_window.hpp"

namespace {

using sheaf::endpoint_counts;
using sheaf::run_header;
using sheaf::team;

struct till : sheaf::distributed<till> {
  explicit till(sheaf::team const& t) : distributed(t) {}
  std::uint64_t sum = 0;
  void add(std::uint64_t v) { sum += v; }
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
  endpoint_counts counts() { return here_of(members()).connection().counts(); }
};

sheaf::options simulated(unsigned locations) {
  sheaf::options o;
  o.transport = sheaf::transport_kind::sim;
  o.locations = locations;
  o.buffer_bytes = o.first_flush_bytes = 8192;
  o.ring_slots = o.window = 64;
  return o;
}

TEST(calls, a_sync_rmi_is_one_inline_entry_each_way) {
  sheaf::run(simulated(2), [](team const& world) {
    till t(world);
    if (world.rank() == 0) {
      auto const theirs_before = t.sync<&till::counts>(1);
      auto const before = here_of(world).connection().counts();
      for (std::uint64_t i = 0; i < 100; ++i) t.sync<&till::twice>(1, i);
      auto const after = here_of(world).connection().counts();
      auto const theirs = t.sync<&till::counts>(1);
      EXPECT_EQ(after.inline_sent[0] - before.inline_sent[0], 100u);
      EXPECT_EQ(after.bytes_sent[0] - before.bytes_sent[0], 100 * (run_header::lone_bytes + 4 + 8));
      EXPECT_EQ(after.buffers_sent[0], before.buffers_sent[0]);
      // Theirs besides: the reply to the first question, whose counts were taken before it was sent.
      EXPECT_EQ(theirs.inline_sent[1] - theirs_before.inline_sent[1], 100u + 0);
      EXPECT_EQ(theirs.buffers_sent[1] - theirs_before.buffers_sent[1], 1u);
    }
    sheaf::fence(world);
  });
}

TEST(calls, a_reply_takes_its_header_token_status_and_value) {
  sheaf::run(simulated(2), [](team const& world) {
    till t(world);
    if (world.rank() == 0) {
      t.sync<&till::twice>(1, 1u);
      auto const before = here_of(world).connection().counts();
      for (std::uint64_t i = 0; i < 10; ++i) t.sync<&till::twice>(1, i);
      auto const after = here_of(world).connection().counts();
      EXPECT_EQ(after.entries_received[1] - before.entries_received[1], 10u);
      EXPECT_EQ(after.bytes_received[1] - before.bytes_received[1], 10 * (run_header::lone_bytes + 4 + 1 + 8));
    }
    sheaf::fence(world);
  });
}

TEST(calls, async_requests_of_8_bytes_cost_8_bytes) {
  sheaf::run(simulated(2), [](team const& world) {
    till t(world);
    auto const before = here_of(world).connection().counts();
    for (std::uint64_t i = 0; i < 1000; ++i) t.async<&till::add>(1 - world.rank(), i);
    sheaf::flush();
    auto const after = here_of(world).connection().counts();
    EXPECT_EQ(after.buffers_sent[0] - before.buffers_sent[0], 1u);
    EXPECT_EQ(after.bytes_sent[0] - before.bytes_sent[0], run_header::wire_bytes + 8000);
    sheaf::fence(world);
  });
}

TEST(calls, the_replies_to_one_buffer_travel_in_one_buffer) {
  sheaf::run(simulated(2), [](team const& world) {
    till t(world);
    sheaf::reply_window<std::uint64_t> window(world, 50);
    if (world.rank() == 0) {
      // Each reply to `counts` is a buffer, too; the messages of the fence in which the other waits are inline.
      auto const before = t.sync<&till::counts>(1);
      for (std::uint64_t i = 0; i < 50; ++i) static_cast<void>(t.ask<&till::twice>(1, i));
      t.ask<&till::twice>(1, 1u).get();
      auto const after = t.sync<&till::counts>(1);
      EXPECT_EQ(after.buffers_sent[1] - before.buffers_sent[1], 1u + 1);
      EXPECT_EQ(after.entries_received[0] - before.entries_received[0], 1u + 1);

      for (std::uint32_t i = 0; i < 50; ++i) t.ask_into<&till::twice>(1, window, i, i);
      window.wait();
      auto const windowed = t.sync<&till::counts>(1);
      EXPECT_EQ(windowed.buffers_sent[1] - after.buffers_sent[1], 1u + 1);
    }
    sheaf::fence(world);
  });
}

std::uint64_t entries(endpoint_counts const& c) {
  return c.buffers_sent[0] + c.inline_sent[0] + c.buffers_sent[1] + c.inline_sent[1];
}

TEST(calls, an_idle_fence_by_dissemination_sends_log_n_messages_from_each_member) {
  for (unsigned n = 1; n <= 17; ++n) {
    auto o = simulated(n);
    o.fence_form = sheaf::fence_form_kind::dissemination;
    sheaf::run(o, [n](team const& world) {
      for (int i = 0; i < 5; ++i) {
        auto const before = entries(here_of(world).connection().counts());
        sheaf::fence(world);
        EXPECT_EQ(entries(here_of(world).connection().counts()) - before, static_cast<unsigned>(std::bit_width(n - 1)))
            << n;
      }
    });
  }
}

TEST(calls, an_idle_fence_over_a_tree_sends_two_messages_per_edge) {
  for (unsigned n = 1; n <= 17; ++n) {
    auto o = simulated(n);
    o.fence_form = sheaf::fence_form_kind::tree;
    o.tree_arity = 3;
    sheaf::run(o, [n](team const& world) {
      auto const before = entries(here_of(world).connection().counts());
      sheaf::fence(world);
      std::uint64_t const mine = entries(here_of(world).connection().counts()) - before;
      EXPECT_EQ(all_reduce(world, mine, std::plus<>()), 2 * (n - 1)) << n;
    });
  }
}

TEST(calls, the_sort_sends_one_request_per_element_and_to_others_only_those_that_leave) {
  for (unsigned const n : {1u, 2u, 5u}) {
    sheaf::run(simulated(n), [n](team const& world) {
      std::vector<std::uint64_t> part(1000);
      for (std::uint64_t i = 0; i < 1000; ++i) part[i] = (i * 7919 + world.rank() * 31) * 0x9e3779b97f4a7c15u;
      auto const mine = part;
      auto& state = state_of(world);
      std::uint64_t const sent = state.sent, executed = state.executed;
      auto const before = here_of(world).connection().counts();
      sheaf::sample_sort(world, part);
      EXPECT_EQ(state.sent - sent, 1000u);
      EXPECT_EQ(state.executed - executed, part.size());
      auto const after = here_of(world).connection().counts();
      std::uint64_t const buffers = after.buffers_sent[0] - before.buffers_sent[0];
      EXPECT_EQ(after.bytes_sent[0] - before.bytes_sent[0], 1000 * 8 + buffers * run_header::wire_bytes)
          << "its 8 bytes per element and nothing else";
      EXPECT_EQ(buffers, n) << "one buffer to each";
      // What stayed is what both parts hold; all else was sent to others and executed there.
      auto const all = all_gather(world, part);
      std::uint64_t left = 0;
      for (std::uint64_t const v : mine) left += std::binary_search(part.begin(), part.end(), v) ? 0 : 1;
      auto const plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
      std::uint64_t came = 0;
      for (std::uint64_t const v : part) came += std::find(mine.begin(), mine.end(), v) == mine.end() ? 1 : 0;
      EXPECT_EQ(all_reduce(world, left, plus), all_reduce(world, came, plus));
    });
  }
}

}  // namespace
