// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/heartbeat/heart.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>

#include "transport/heartbeat_world.hpp"

namespace {

using sheaf::heartbeat::datagram;
using sheaf::heartbeat::datagram_kind;
using sheaf::heartbeat::finding;
using sheaf::heartbeat::pulse;
using sheaf_test::heartbeat_world;
using sheaf_test::second;

constexpr std::uint64_t limit = 30 * second;
constexpr heartbeat_world::weather fair{};
constexpr heartbeat_world::weather foul{0.4, second, 0.2, limit / 10};

/// Who is not told loses a neighbour that was.
constexpr std::uint64_t rest = 7 * limit;

class pulse_ring : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(sizes, pulse_ring, testing::Values(1, 2, 3, 4, 7, 8, 64),
                         [](auto const& i) { return std::string("n") + std::to_string(i.param); });

TEST_P(pulse_ring, nobody_is_lost_in_an_hour_without_a_word_to_each_other) {
  heartbeat_world w(GetParam(), limit, fair);
  w.play(3600 * second);
  EXPECT_EQ(w.ended(), 0u);
  std::uint32_t const neighbours = GetParam() == 1 ? 0 : GetParam() == 2 ? 1 : 2;
  EXPECT_EQ(w.sent(), 3601u * neighbours * GetParam()) << "one a second to each neighbour";
}

TEST_P(pulse_ring, a_host_that_is_cut_off_ends_everybody_within_the_limit) {
  if (GetParam() < 2) return;
  heartbeat_world w(GetParam(), limit, fair);
  std::uint32_t const last = GetParam() - 1;
  w.play(100 * second);
  w.connected = [&](auto from, auto to) { return (from == last) == (to == last); };
  w.play(100 * second + limit + 1);
  ASSERT_EQ(w.ended(), GetParam());
  for (std::uint32_t i = 0; i < last; ++i) {
    finding const f = *w.at(i).pulse->found();
    EXPECT_EQ(f.about, last) << i;
    EXPECT_NE(f.told_by, last);
  }
  finding const alone = *w.at(last).pulse->found();
  EXPECT_NE(alone.about, last);
  EXPECT_EQ(alone.told_by, last) << "the one that is cut off finds it by itself";
  EXPECT_EQ(alone.silent_ns, limit);
}

TEST_P(pulse_ring, a_killed_process_is_told_within_the_limit) {
  if (GetParam() < 2) return;
  heartbeat_world w(GetParam(), limit, fair);
  w.play(100 * second + 1);
  w.at(1).gone = true;
  w.play(100 * second + 1 + limit);
  EXPECT_EQ(w.ended(), GetParam() - 1);
  EXPECT_EQ(w.at(0).pulse->found()->about, 1u);
}

class pulse_seeds : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(seeds, pulse_seeds, testing::Range(std::uint64_t{1}, std::uint64_t{41}));

TEST_P(pulse_seeds, loss_delay_overtaking_and_late_threads_lose_nobody) {
  heartbeat_world w(2 + static_cast<std::uint32_t>(GetParam() % 7), limit, foul, GetParam());
  w.play(1000 * second);
  EXPECT_EQ(w.ended(), 0u);
}

TEST_P(pulse_seeds, cut_into_two_parts_anyhow_each_part_names_one_of_the_other) {
  std::mt19937_64 random(GetParam());
  auto const size = static_cast<std::uint32_t>(2 + random() % 11);
  std::vector<bool> left(size);
  for (std::uint32_t i = 0; i < size; ++i) left[i] = random() % 2 == 0;
  left[0] = true;
  left[size - 1] = false;
  heartbeat_world w(size, limit, {0.2, second / 2, 0.1, 0}, GetParam());
  w.play(50 * second);
  w.connected = [&](auto from, auto to) { return left[from] == left[to]; };
  w.play(51 * second + limit + rest);
  ASSERT_EQ(w.ended(), size) << "whoever was not told has lost a neighbour that was";
  for (bool const part : {true, false}) {
    std::uint32_t finders = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      finding const f = *w.at(i).pulse->found();
      if (left[i] != part || f.told_by != i) continue;
      if (left[f.about] != part) ++finders;
    }
    EXPECT_GE(finders, 1u);
  }
}

TEST_P(pulse_seeds, bytes_of_strangers_change_nothing) {
  std::mt19937_64 random(GetParam());
  pulse p(0, 4, heartbeat_world::key, limit, 0);
  datagram const d{.key = heartbeat_world::key, .from = 1, .about = 2, .kind = datagram_kind::end};
  auto const good = std::bit_cast<std::array<std::byte, sizeof d>>(d);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> bytes(good.begin(), good.end());
    std::size_t const at = random() % 16;  // the mark, the key
    bytes[at] ^= static_cast<std::byte>(1 + random() % 255);
    p.received(second, bytes);
    bytes.resize(random() % 100);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    p.received(second, bytes);
    for (std::size_t cut = 0; cut < good.size(); ++cut) p.received(second, std::span(good).first(cut));
  }
  EXPECT_FALSE(p.found());
  for (std::size_t const at : {16u, 19u, 20u, 24u, 28u, 31u}) {  // from, to, about, kind
    auto bytes = good;
    bytes[at] ^= std::byte{0xf0};
    p.received(second, bytes);
    EXPECT_FALSE(p.found()) << at;
  }
  p.received(second, good);
  EXPECT_TRUE(p.found()) << "and this one is ours";
}

void beat_from(pulse& p, std::uint32_t from, std::uint64_t now, datagram_kind kind = datagram_kind::beat) {
  datagram const d{.key = heartbeat_world::key, .from = from, .about = from, .kind = kind};
  p.received(now, std::as_bytes(std::span(&d, 1)));
}

TEST(pulse, one_that_never_came_is_warned_of_once_and_not_lost) {
  heartbeat_world w(3, limit, fair);
  w.connected = [](auto from, auto to) { return !(from == 1 && to == 2); };
  w.play(10 * limit);
  EXPECT_EQ(w.ended(), 0u);
  EXPECT_EQ(w.at(2).never_heard, std::vector<std::uint32_t>{1});
  EXPECT_TRUE(w.at(1).never_heard.empty());
  w.connected = [](auto, auto) { return true; };
  w.play(11 * limit);
  w.connected = [](auto from, auto to) { return !(from == 1 && to == 2); };
  w.play(13 * limit);
  EXPECT_EQ(w.at(2).pulse->found()->about, 1u) << "since it has come it is watched";
}

TEST(pulse, who_was_stopped_blames_nobody_and_is_found_by_the_others) {
  heartbeat_world w(4, limit, fair);
  w.play(10 * second);
  w.stop(2, 1000 * second);
  w.play(10 * second + limit - second);
  EXPECT_EQ(w.ended(), 0u);
  w.play(10 * second + limit + 1);
  EXPECT_EQ(w.ended(), 3u);
  EXPECT_EQ(w.at(1).pulse->found()->about, 2u);
  w.play(2000 * second);
  ASSERT_TRUE(w.at(2).ended) << "it hears of it when it goes on";
  EXPECT_NE(w.at(2).pulse->found()->told_by, 2u);
}

TEST(pulse, stopped_for_less_than_the_limit_is_nothing) {
  heartbeat_world w(3, limit, fair);
  for (int i = 1; i < 20; ++i) {
    w.play(static_cast<std::uint64_t>(i) * 60 * second);
    w.stop(static_cast<std::uint32_t>(i) % 3, limit - 2 * second);
  }
  w.play(1300 * second);
  EXPECT_EQ(w.ended(), 0u);
}

TEST(pulse, all_stopped_together_find_nobody_lost) {
  heartbeat_world w(3, limit, fair);
  w.play(10 * second);
  for (std::uint32_t i = 0; i < 3; ++i) w.stop(i, 100 * limit);
  w.play(200 * limit);
  EXPECT_EQ(w.ended(), 0u) << "a laptop that was closed";
}

TEST(pulse, who_says_goodbye_is_not_lost) {
  auto const nowhere = [](std::uint32_t, std::span<std::byte const>) {};
  pulse p(0, 2, heartbeat_world::key, limit, 0);
  beat_from(p, 1, second);
  beat_from(p, 1, second, datagram_kind::goodbye);
  for (std::uint64_t now = second; now < 100 * limit; now += second) static_cast<void>(p.tick(now, nowhere));
  EXPECT_FALSE(p.found());
}

TEST(pulse, beats_five_times_in_the_limit_and_each_second_at_least) {
  EXPECT_EQ(pulse::period_for(second), second / 5);
  EXPECT_EQ(pulse::period_for(4 * second), 4 * second / 5);
  EXPECT_EQ(pulse::period_for(86'400 * second), second);
}

}  // namespace
