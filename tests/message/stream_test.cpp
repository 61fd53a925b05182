// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Streams of a layer's own: they are known to all that asks streams, and have sizes of their own.
#include "sheaf/message/stream.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "harness/text_of.hpp"
#include "message/probe.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using sheaf::run_scope;
using sheaf::traffic;
using sheaf::detail::buffer_sizes;
using sheaf::detail::flush_reason;
using sheaf::detail::sending_in;
using sheaf::detail::stream;
using sheaf::detail::stream_plan;
using sheaf_test::lone_location;
using sheaf_test::probe_value;
using sheaf_test::runs_of;
using sheaf_test::tag_of;

constexpr run_scope first(0, 1, 0);

void put(stream& to, std::uint32_t dest, std::uint64_t value) {
  std::memcpy(to.box(dest).append(tag_of<probe_value>(), 8), &value, 8);
}

/// Sizes that fit so many records of eight bytes into a buffer, near and far.
stream_plan buffers_of(std::uint32_t records) {
  std::uint32_t const bytes = static_cast<std::uint32_t>(sheaf::run_header::wire_bytes) + 8 * records;
  buffer_sizes const all{bytes, bytes, bytes};
  return {traffic::request, {{all, all}}};
}

TEST(stream, of_a_layer_is_flushed_counted_and_looked_at_with_the_others) {
  lone_location l;
  stream own(l.here.out());
  put(own, 1, 7);
  EXPECT_FALSE(l.here.out().empty());
  EXPECT_TRUE(l.here.out().may_leave());
  EXPECT_FALSE(l.here.in().quiet(l.here.registered().world())) << "a fence would not end";
  l.here.out().flush();
  EXPECT_TRUE(l.here.in().quiet(l.here.registered().world()));
  EXPECT_EQ(l.net.sent_to(1), 1u);
  EXPECT_EQ(l.here.registered().world().sent, 1u);
}

TEST(stream, of_a_layer_sends_in_the_scope_of_its_location) {
  lone_location l;
  stream early(l.here.out());
  put(early, 1, 0);
  sending_in const in(l.here.out(), first);
  stream late(l.here.out());
  put(early, 1, 1);
  put(late, 2, 2);
  l.here.out().flush();
  auto const runs = runs_of(l.net.sent.at(0).data);
  ASSERT_EQ(runs.size(), 2u) << "the scope has ended the open run";
  EXPECT_EQ(runs[0].header.in_scope().number(), 0u);
  EXPECT_EQ(runs[1].header.in_scope(), first);
  EXPECT_EQ(runs_of(l.net.sent.at(1).data).at(0).header.in_scope(), first);
  EXPECT_EQ(l.here.registered().world().counts_of(first.number()).sent, 2u);
}

TEST(stream, has_sizes_of_its_own_that_the_location_s_do_not_change) {
  lone_location l;
  stream own(l.here.out(), buffers_of(3)), usual(l.here.out());
  l.here.set_aggregation(64, 64);
  for (std::uint64_t i = 0; i < 4; ++i) put(own, 1, i);
  EXPECT_EQ(l.net.sent_to(1), 1u);
  EXPECT_EQ(runs_of(l.net.sent.at(0).data).at(0).header.count, 3u);
  EXPECT_EQ(own.sizes_for(1).capacity, sheaf::run_header::wire_bytes + 24);
  EXPECT_EQ(usual.sizes_for(1).most, 64u) << "one without follows the location";
}

TEST(stream, with_sizes_that_cannot_be_is_refused) {
  lone_location l;
  auto const with = [&](buffer_sizes sizes) {
    return sheaf_test::text_of<sheaf::usage_error>([&] {
      stream(l.here.out(), {traffic::request, {{buffer_sizes{1, 2, 3}, sizes}}});
    });
  };
  EXPECT_EQ(with({8, 9, 4}),
            "sheaf: a stream with buffers of 4 bytes that are flushed at first at 8, at most at 9: needs 1 <= first <= "
            "most <= capacity, near and far");
  EXPECT_NE(with({0, 9, 9}), "");
  EXPECT_NE(with({5, 4, 9}), "");
  EXPECT_EQ(l.here.out().streams().size(), 2u) << "none of them is known";
}

TEST(stream, makes_room_in_the_budget) {
  auto settings = sheaf_test::fake_settings();
  settings.buffer_budget = 1;  // no buffer fits beside another one
  lone_location l(settings);
  stream own(l.here.out());
  put(own, 1, 1);
  l.put(2, 2);
  EXPECT_EQ(l.net.sent_to(1), 1u);
}

TEST(stream, shares_the_pair_s_credit_with_others_of_its_class_and_keeps_its_order) {
  lone_location l;
  stream own(l.here.out(), buffers_of(1));
  l.net.credits = 0;
  l.here.in().run_as_method([&] {
    for (std::uint64_t i = 0; i < 3; ++i) put(own, 1, i);
    l.put(1, 9);
    l.here.out().flush();
  });
  EXPECT_EQ(l.here.out().held.requests(), l.here.out().reserve_used());
  EXPECT_FALSE(l.here.out().may_leave()) << "all of it stands behind what waits for credit";
  l.net.credits = 9;
  l.work();
  std::vector<std::uint64_t> in_order;
  for (auto const& each : l.net.sent) {
    std::uint64_t value = 0;
    std::memcpy(&value, runs_of(each.data).at(0).records.data(), 8);
    if (value != 9) in_order.push_back(value);
  }
  EXPECT_EQ(l.net.sent.size(), 4u);
  EXPECT_EQ(in_order, (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST(stream, that_ends_sends_what_it_holds_and_is_asked_no_more) {
  lone_location l;
  {
    stream own(l.here.out());
    put(own, 1, 7);
  }
  EXPECT_EQ(l.net.sent_to(1), 1u);
  EXPECT_TRUE(l.here.out().empty());
  EXPECT_EQ(l.here.out().streams().size(), 2u);
  EXPECT_EQ(l.net.blocks_in_use(), 1u) << "one that was not sent is kept for the next buffer";
}

TEST(stream, has_its_location_poll_once_for_poll_every_of_its_requests) {
  auto settings = sheaf_test::fake_settings();
  settings.poll_every = 4;
  lone_location l(settings);
  stream own(l.here.out());
  l.arrive(2, 5);
  for (std::uint64_t i = 0; i < 5; ++i) put(own, 1, i);
  EXPECT_EQ(l.object.values, std::vector<std::uint64_t>{5}) << "what had come was executed";
  l.arrive(2, 6);
  for (std::uint64_t i = 0; i < 3; ++i) put(own, 1, i);
  EXPECT_EQ(l.object.values.size(), 1u) << "and the count begins anew";
}

TEST(stream, of_a_class_that_the_build_has_not_or_to_nobody_is_refused) {
  lone_location l;
  auto const make = [&] { stream const own(l.here.out(), {static_cast<traffic>(sheaf::traffic_classes), {}}); };
  EXPECT_NE(sheaf_test::text_of<sheaf::usage_error>(make).find("classes"), std::string::npos);
  stream own(l.here.out());
  std::string const refused = sheaf_test::text_of<sheaf::usage_error>([&] { put(own, 4, 7); });
  EXPECT_NE(refused.find("location 4 of 4"), std::string::npos) << refused;
}

}  // namespace
