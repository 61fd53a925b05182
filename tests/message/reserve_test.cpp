// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/sender.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "message/probe.hpp"
#include "sheaf/message/location.hpp"

namespace {

using sheaf::traffic;
using sheaf::wanted;
using sheaf::detail::reserve;
using sheaf_test::lone_location;

TEST(reserve, has_a_share_for_requests_and_one_for_answers) {
  reserve held(100);
  held.add(traffic::request, 100);
  held.add(traffic::answer, 100);
  EXPECT_FALSE(held.is_over());
  EXPECT_EQ(held.allowed(), wanted::all);
  EXPECT_EQ(held.excess(), 0u);
  held.add(traffic::answer, 1);
  EXPECT_TRUE(held.is_over());
  EXPECT_EQ(held.allowed(), wanted::moves);
  EXPECT_EQ(held.excess(), 101u);
  held.add(traffic::request, 50);
  EXPECT_EQ(held.requests(), 150u);
  EXPECT_EQ(held.excess(), 150u);
  held.take(traffic::answer, 1);
  held.take(traffic::request, 50);
  EXPECT_FALSE(held.is_over());
}

TEST(reserve, raises_what_is_over_until_it_is_not) {
  reserve held(100);
  held.add(traffic::answer, 350);
  held.raise();
  EXPECT_FALSE(held.is_over());
  EXPECT_EQ(held.cap, 400u);
  held.add(traffic::request, 450);
  held.raise();
  EXPECT_EQ(held.cap, 500u);
  EXPECT_EQ(held.raises, 4u);
}

/// A location of 300 bytes for answers that owes more of them to location 1, and has a request.
struct answering : lone_location {
  answering() : lone_location(small()) {
    net.credits = 0;
    for (std::uint64_t i = 0; i < 2; ++i) {
      put_answer(1, i);
      here.answer_box(1).flush(sheaf::detail::flush_reason::answers);
    }
    arrive(2, 7);
  }
  static sheaf::options small() {
    auto settings = sheaf_test::fake_settings();
    settings.reserve_bytes = 300;
    return settings;
  }
};

TEST(reserve, of_answers_stops_its_location_until_they_have_left) {
  answering l;
  EXPECT_EQ(l.here.out().reserve_used(), 0u) << "it is not that of requests";
  EXPECT_TRUE(l.here.in().stopped());
  l.work();
  EXPECT_TRUE(l.object.values.empty());
  l.net.credits = 9;
  l.work();
  EXPECT_EQ(l.object.values, std::vector<std::uint64_t>{7});
  EXPECT_EQ(l.net.sent_to(1), 2u);
}

TEST(reserve, of_answers_stops_nobody_who_waits_for_an_answer) {
  answering l;
  l.net.on_idle = [] {};
  l.here.wait(sheaf::detail::wait_kind::answer, [&] { return !l.object.values.empty(); });
  EXPECT_EQ(l.object.values, std::vector<std::uint64_t>{7});
}

TEST(reserve, of_answers_takes_answers_while_it_is_over) {
  answering l;
  l.net.arrive(
      1, traffic::answer,
      sheaf_test::entry_writer().run(sheaf_test::tag_of<sheaf_test::probe_answer>(0), 1, std::uint64_t{3}).data());
  l.work();
  EXPECT_EQ(sheaf_test::probe_answer::arrived, std::vector<std::uint64_t>{3});
}

}  // namespace
