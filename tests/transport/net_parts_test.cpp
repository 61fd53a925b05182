// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Entries that no packet holds: cut by their sender under credit, put together by their receiver.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sheaf/base/error.hpp"
#include "transport/lone_process.hpp"
#include "transport/net/net_endpoint.hpp"
#include "transport/net/slices.hpp"

namespace sheaf_test {
namespace {

using sheaf::arrival;
using sheaf::buffer;
using sheaf::location_id;
using sheaf::traffic;
using sheaf::wanted;

/// Locations 0 and 1, each a process of its own.
struct two_locations {
  explicit two_locations(sheaf::net::limits const& sizes)
      : one(network.processes(0), network.at(0), 0, sizes), other(network.processes(1), network.at(1), 0, sizes) {}

  /// Location 0's entry of so many bytes, all of the value. False: it is refused.
  bool send(std::size_t bytes, int value, traffic kind = traffic::request) {
    buffer b = from.acquire(location_id{2}, bytes);
    std::memset(b.data(), value, bytes);
    b.set_size(bytes);
    return from.send(location_id{2}, kind, b);
  }
  /// What arrives at location 2, the first of the other process: its value, or -1 after many looks.
  int take(std::size_t bytes, wanted which = wanted::all) {
    arrival in;
    for (int look = 0; look < 2000; ++look) {
      if (!to.receive(which, in)) {
        arrival none;
        EXPECT_FALSE(from.receive(wanted::all, none));
        from.idle(0, 1);
        to.idle(15, 1);
        continue;
      }
      EXPECT_EQ(in.bytes.size(), bytes);
      bool const same = std::all_of(in.bytes.begin(), in.bytes.end(), [&](std::byte b) { return b == in.bytes[0]; });
      int const value = same ? std::to_integer<int>(in.bytes[0]) : -2;
      to.consumed(in.source, in.kind);
      return value;
    }
    return -1;
  }

  fake_network network{2, 1, fair_weather, [] {}};
  lone_process one, other;
  sheaf::net::locality const near_one{2, 2, {}, 0}, near_other{2, 2, {}, 1};
  sheaf::net::net_endpoint from{0, one.siblings, near_one, one.gate}, to{0, other.siblings, near_other, other.gate};
};

constexpr sheaf::net::limits narrow = {256, 8, 64, 4};

TEST(net_endpoint, an_entry_that_no_packet_holds_comes_in_parts_and_in_order) {
  two_locations l(narrow);
  ASSERT_TRUE(l.send(100, 1));
  ASSERT_TRUE(l.send(10'000, 2));
  EXPECT_FALSE(l.send(100, 3)) << "behind one that leaves in parts";
  EXPECT_EQ(l.take(100), 1);
  EXPECT_EQ(l.take(10'000), 2);
  EXPECT_TRUE(l.send(249, 3));
  EXPECT_EQ(l.take(249), 3) << "a byte more than a packet holds";
  EXPECT_TRUE(l.send(248, 4));
  EXPECT_EQ(l.take(248), 4);
  EXPECT_EQ(l.from.counts().buffers_sent[0], 4u) << "parts are no entries";
}

TEST(net_endpoint, answers_pass_an_entry_that_comes_in_parts) {
  two_locations l(narrow);
  ASSERT_TRUE(l.send(100'000, 1));
  ASSERT_TRUE(l.send(100'000, 2, traffic::answer));
  ASSERT_TRUE(l.from.send_inline(location_id{2}, traffic::request, std::as_bytes(std::span("x", 1))) == false);
  EXPECT_EQ(l.take(100'000, wanted::answers), 2) << "requests take nothing of its credit";
  EXPECT_EQ(l.take(100'000), 1);
}

TEST(net_endpoint, parts_under_way_are_bounded_by_credit) {
  two_locations l(narrow);
  ASSERT_TRUE(l.send(100'000, 1));
  for (int i = 0; i < 1000; ++i) {
    arrival none;
    EXPECT_FALSE(l.from.receive(wanted::all, none));
    l.from.idle(0, 1);
  }
  EXPECT_EQ(l.from.counts().parts, narrow.window);
  EXPECT_EQ(l.from.backlog(location_id{2}, traffic::request), narrow.window);
  EXPECT_EQ(l.take(100'000), 1);
}

TEST(net_endpoint, a_pair_puts_one_entry_together_at_a_time) {
  two_locations l(narrow);
  ASSERT_TRUE(l.send(500, 1));
  arrival first;
  for (int i = 0; i < 100 && !l.to.receive(wanted::all, first); ++i) {
  }
  ASSERT_EQ(first.bytes.size(), 500u);
  for (int i = 0; i < 100; ++i) l.to.idle(15, 1);
  ASSERT_TRUE(l.send(100'000, 2));
  arrival none;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(l.to.receive(wanted::all, none)) << "the first one is in use";
    EXPECT_FALSE(l.from.receive(wanted::all, none));
  }
  EXPECT_LE(l.from.counts().parts, 3u + narrow.window) << "they wait under credit";
  EXPECT_EQ(first.bytes[499], std::byte{1});
  l.to.consumed(first.source, first.kind);
  EXPECT_EQ(l.take(100'000), 2);
}

TEST(net_endpoint, an_entry_in_parts_can_be_kept) {
  two_locations l(narrow);
  ASSERT_TRUE(l.send(5000, 7));
  arrival in;
  for (int i = 0; i < 2000 && !l.to.receive(wanted::all, in); ++i) {
    arrival none;
    EXPECT_FALSE(l.from.receive(wanted::all, none));
    l.to.idle(15, 1);
  }
  ASSERT_EQ(in.bytes.size(), 5000u);
  buffer const kept = l.to.keep(in.source, in.kind);
  ASSERT_TRUE(l.send(5000, 8));
  EXPECT_EQ(l.take(5000), 8);
  EXPECT_TRUE(std::all_of(in.bytes.begin(), in.bytes.end(), [](std::byte b) { return b == std::byte{7}; }));
}

/// Location 0 gets slices from process 1.
std::string refusal(std::vector<std::vector<std::byte>> const& packets) {
  fake_network network(2, 1, fair_weather, [] {});
  lone_process p(network);
  sheaf::net::locality const near(2, 2, {}, 0);
  sheaf::net::net_endpoint location(0, p.siblings, near, p.gate);
  sheaf::net::engine other(network.processes(1), network.at(1), ordinary);
  for (auto const& each : packets) send_bytes(other, each);
  try {
    arrival in;
    for (int i = 0; i < 100; ++i) {
      other.poll();
      static_cast<void>(location.receive(wanted::all, in));
    }
  } catch (sheaf::job_aborted const& e) {
    return e.what();
  }
  return "it is taken";
}

TEST(net_endpoint, parts_that_do_not_fit_their_entry_end_the_job) {
  using sheaf::net::slice_kind;
  auto const part = [](std::uint32_t bytes, std::uint64_t total, bool is_part = true) {
    auto one = packet_of({slice_kind::request, true, 0, 0, bytes, is_part}, bytes);
    if (bytes >= 8) std::memcpy(one.data() + sheaf::net::slice::header_bytes, &total, 8);
    return one;
  };
  std::string const why = "location 0 received a damaged packet from location 2: a part does not fit its entry";
  EXPECT_EQ(refusal({part(4000, 5000)}), "it is taken");
  EXPECT_EQ(refusal({part(7, 5000)}), why) << "no size";
  EXPECT_EQ(refusal({part(4000, 4096)}), why) << "a packet would hold it";
  EXPECT_EQ(refusal({part(4000, 5000), part(2000, 0)}), why) << "too long";
  EXPECT_EQ(refusal({part(4000, 5000), part(1000, 0, false)}), why) << "not a part";
}

TEST(net_assembly, whatever_size_is_stated_memory_is_taken_for_what_comes) {
  for (std::uint64_t const size : {~std::uint64_t{0}, ~std::uint64_t{0} - 40, std::uint64_t{1} << 62}) {
    sheaf::net::assembly whole;
    std::vector<std::byte> part(4096);
    std::memcpy(part.data(), &size, sizeof size);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(whole.add(part, 4096));
    EXPECT_FALSE(whole.complete());
    EXPECT_EQ(whole.bytes().size(), 100 * 4096 - sizeof size);
  }
}

}  // namespace
}  // namespace sheaf_test
