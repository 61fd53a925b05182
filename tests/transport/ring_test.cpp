// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "transport/host/host_endpoint.hpp"

namespace {

using namespace sheaf;
using namespace sheaf::host;

/// A ring with both ends on this thread.
class one_ring {
 public:
  one_ring(std::uint32_t slots, std::uint32_t window)
      : out(location_id{0}, traffic::request, slots, window, bell, pool, in_flight, memory), in(1, heads) {
    in.add(out.shared());
  }

  void put(std::uint32_t value) { out.put_inline(std::as_bytes(std::span(&value, 1))); }
  void put_block(std::size_t bytes) {
    std::span<std::byte> const block = pool.take(bytes);
    out.put_block(block.first(bytes), block.size());
  }
  /// The value that comes next, or −1.
  long take() {
    arrival a;
    if (!in.poll(a)) return -1;
    std::uint32_t value = 0;
    std::memcpy(&value, a.bytes.data(), sizeof value);
    in.consumed(a.source);
    return value;
  }

  doorbell bell;
  sheaf::heap_memory memory;
  block_pool pool{128, memory};
  std::size_t in_flight = 0;
  ring_sender out;
  std::vector<host::ring_head> heads;
  inbox in;
};

TEST(ring, entries_come_in_order_around_rings_of_any_size) {
  for (std::uint32_t const slots : {1u, 2u, 3u, 7u, 64u}) {
    one_ring r(slots, slots);
    std::uint32_t sent = 0, got = 0;
    while (got < 1000) {
      for (std::uint32_t i = 0; i <= sent % slots && r.out.has_slot(); ++i) r.put(sent++);
      while (got < sent) ASSERT_EQ(r.take(), got++);
      ASSERT_EQ(r.take(), -1);
      r.out.refresh();
    }
  }
}

TEST(ring, a_block_that_is_kept_is_in_flight_until_it_comes_back_though_its_credit_does) {
  one_ring r(1, 1);
  for (int round = 0; round < 3; ++round) {
    r.put_block(100);
    EXPECT_FALSE(r.out.has_window());
    arrival a;
    ASSERT_TRUE(r.in.poll(a));
    buffer kept;
    r.in.consumed(a.source, &kept);
    r.out.refresh();
    EXPECT_TRUE(r.out.has_window());
    EXPECT_TRUE(r.pool.empty());
    EXPECT_EQ(r.in_flight, 128u);
    kept = {};
    r.out.refresh();
    EXPECT_FALSE(r.pool.empty());
    EXPECT_EQ(r.in_flight, 0u);
    EXPECT_FALSE(r.out.any_out());
  }
}

TEST(ring, credits_are_exact) {
  one_ring r(3, 2);
  r.put_block(100);
  r.put_block(100);
  EXPECT_FALSE(r.out.has_window()) << "two buffers fly";
  EXPECT_TRUE(r.out.has_slot());
  r.put(7);
  EXPECT_FALSE(r.out.has_slot());
  EXPECT_EQ(r.out.backlog(), 3u);
  r.take();
  EXPECT_FALSE(r.out.has_slot()) << "the sender has not looked yet";
  r.out.refresh();
  EXPECT_TRUE(r.out.has_window());
  EXPECT_EQ(r.out.backlog(), 2u);
  r.out.abandon();
}

TEST(ring, a_delivered_entry_keeps_its_slot_and_its_successors_until_consumed) {
  one_ring r(2, 2);
  r.put(1);
  r.put(2);
  arrival first, second;
  ASSERT_TRUE(r.in.poll(first));
  EXPECT_FALSE(r.in.poll(second));
  EXPECT_FALSE(r.in.any_ready());
  r.out.refresh();
  EXPECT_FALSE(r.out.has_slot());
  r.in.consumed(first.source);
  EXPECT_TRUE(r.in.any_ready());
  EXPECT_EQ(r.take(), 2);
}

TEST(ring, blocks_come_back_when_their_entry_is_consumed) {
  one_ring r(8, 8);
  r.put_block(100);
  r.put_block(5000);
  r.take();
  r.out.refresh();
  EXPECT_EQ(r.out.flights(), 1u);
  EXPECT_FALSE(r.pool.empty());
  r.take();
  r.out.refresh();
  EXPECT_EQ(r.out.flights(), 0u);
}

TEST(ring, a_refusal_ends_when_anything_is_consumed) {
  one_ring r(1, 1);
  r.put(1);
  r.out.refuse();
  EXPECT_FALSE(r.out.credit_came());
  r.take();
  r.out.refresh();  // acquire may learn of the credit first
  EXPECT_TRUE(r.out.credit_came());
}

TEST(ring, the_largest_inline_entry_arrives_whole) {
  one_ring r(2, 2);
  std::array<std::byte, ring_slot::inline_capacity> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i + 1);
  r.out.put_inline(bytes);
  arrival a;
  ASSERT_TRUE(r.in.poll(a));
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), a.bytes.begin(), a.bytes.end()));
}

TEST(doorbell, does_not_sleep_when_something_changed_before_it_was_armed) {
  doorbell bell;
  EXPECT_FALSE(bell.sleep(0, [] { return true; }));
}

TEST(doorbell, a_ring_between_the_last_look_and_the_sleep_is_not_lost) {
  doorbell bell;
  EXPECT_TRUE(bell.sleep(0, [&] {
    bell.ring();
    return false;
  }));
}

}  // namespace
