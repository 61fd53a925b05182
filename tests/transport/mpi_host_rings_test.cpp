// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/host_rings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "transport/ring_memory.hpp"

namespace sheaf_test {
namespace {

using sheaf::mpi::host_packet;
using sheaf::mpi::host_rings;
using sheaf::mpi::host_slot;
using sheaf::mpi::ring_shape;

bool send(host_rings& from, std::uint32_t to, std::uint32_t value) {
  std::byte* const room = from.room(to, sizeof value);
  if (room == nullptr) return false;
  std::memcpy(room, &value, sizeof value);
  from.ship(to, sizeof value, 1'000'000 + value);
  return true;
}

std::uint32_t value_of(host_packet const& p) {
  std::uint32_t value = 0;
  EXPECT_EQ(p.bytes, sizeof value);
  std::memcpy(&value, p.data, sizeof value);
  EXPECT_EQ(p.sequence, 1'000'000 + value);
  return value;
}

/// What the next look gives, of all sources.
std::vector<std::uint32_t> taken(host_rings& at, std::size_t most = host_rings::all) {
  std::vector<std::uint32_t> all;
  bool const any = at.look(most, [&](std::uint32_t, host_packet const& p) {
    all.push_back(value_of(p));
    return true;
  });
  EXPECT_EQ(any, !all.empty());
  return all;
}

TEST(mpi_host_rings, a_ring_takes_as_many_packets_as_it_has_slots) {
  ring_memory memory(2, 2, 4);
  host_rings first = memory.of(0), second = memory.of(1);
  for (std::uint32_t round = 0; round < 5; ++round) {
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_TRUE(send(first, 1, i));
    EXPECT_FALSE(send(first, 1, 4)) << "it is full";
    EXPECT_EQ(taken(second), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(taken(second), std::vector<std::uint32_t>());
    EXPECT_EQ(taken(first), std::vector<std::uint32_t>()) << "what it sent itself is not for it";
  }
}

TEST(mpi_host_rings, what_is_not_taken_is_offered_again_with_all_behind_it) {
  ring_memory memory(2, 2, 4);
  host_rings first = memory.of(0), second = memory.of(1);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_TRUE(send(first, 1, i));
  std::uint32_t offered = 0;
  auto const only_the_first = [&](std::uint32_t, host_packet const& p) { return ++offered, value_of(p) == 0; };
  EXPECT_TRUE(second.look(1, only_the_first));
  EXPECT_EQ(offered, 2u);
  EXPECT_FALSE(second.look(1, only_the_first));
  EXPECT_EQ(taken(second), (std::vector<std::uint32_t>{1, 2}));
}

TEST(mpi_host_rings, packets_that_are_long_or_go_elsewhere_are_not_for_them) {
  ring_memory memory(3, 2, 1);
  host_rings first = memory.of(0), last = memory.of(2);
  EXPECT_NE(first.room(1, host_slot::capacity), nullptr);
  EXPECT_EQ(first.room(1, host_slot::capacity + 1), nullptr);
  EXPECT_EQ(first.room(0, 8), nullptr) << "itself";
  EXPECT_EQ(first.room(2, 8), nullptr) << "on another host";
  EXPECT_TRUE(first.any());
  EXPECT_FALSE(last.any());
  EXPECT_EQ(last.room(0, 8), nullptr);
}

TEST(mpi_host_rings, every_source_has_its_turn_however_many_there_are) {
  constexpr std::uint32_t all = 20;
  ring_memory memory(all, all, 1);
  for (std::uint32_t i = 1; i < all; ++i) {
    host_rings one = memory.of(i);
    EXPECT_TRUE(send(one, 0, i));
  }
  host_rings receiver = memory.of(0);
  std::vector<std::uint32_t> found;
  for (std::size_t const expected : {8u, 8u, 3u}) {
    auto const some = taken(receiver, 8);
    EXPECT_EQ(some.size(), expected);
    found.insert(found.end(), some.begin(), some.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  EXPECT_EQ(found.size(), all - 1);
}

TEST(mpi_host_rings, positions_may_pass_the_end_of_their_numbers) {
  ring_memory memory(2, 2, 4, UINT32_MAX - 20);
  host_rings first = memory.of(0), second = memory.of(1);
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(send(first, 1, i));
    ASSERT_TRUE(send(first, 1, i + 1));
    ASSERT_EQ(taken(second), (std::vector<std::uint32_t>{i, i + 1}));
    ASSERT_EQ(taken(second), std::vector<std::uint32_t>());
  }
}

TEST(mpi_host_rings, more_processes_have_shorter_rings) {
  EXPECT_EQ(ring_shape::of(2).slots, 16u);
  EXPECT_EQ(ring_shape::of(64).slots, 16u);
  EXPECT_EQ(ring_shape::of(128).slots, 4u);
  EXPECT_EQ(ring_shape::of(ring_shape::most_processes).slots, 1u);
  EXPECT_LE(ring_shape::of(ring_shape::most_processes).bytes(), std::size_t{21} << 20);
}

TEST(mpi_host_rings, two_threads_pass_numbers_both_ways) {
  constexpr std::uint32_t count = 20'000;
  ring_memory memory(2, 2, 4);
  auto const play = [&](std::uint32_t self) {
    host_rings mine = memory.of(self);
    std::uint32_t sent = 0, next = 0;
    while (sent < count || next < count) {
      while (sent < count && send(mine, 1 - self, sent)) ++sent;
      bool const any = mine.look(1, [&](std::uint32_t, host_packet const& p) {
        EXPECT_EQ(value_of(p), next);
        ++next;
        return true;
      });
      if (!any) std::this_thread::yield();
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
}

}  // namespace
}  // namespace sheaf_test
