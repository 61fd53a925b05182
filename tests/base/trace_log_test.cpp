// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/trace_log.hpp"

#include <gtest/gtest.h>

namespace {

using sheaf::detail::trace_event;
using sheaf::detail::trace_log;

constexpr std::size_t room = 4096;

/// The address of the text is the key.
std::uint32_t name(trace_log& log, trace_event what, char const* text) {
  return log.name_of(text, what, [&] { return text; });
}

TEST(trace_log, time_inside_is_not_self_time) {
  trace_log log(0, 100, room);
  std::uint32_t const wait = name(log, trace_event::wait, "w");
  std::uint32_t const run = name(log, trace_event::run, "r");
  auto const outer = log.begin(110, wait);
  auto const inner = log.begin_run(120, run, {0, 5, 3, 40});
  log.end(150, inner);
  auto const rest = log.begin_run(155, run, {0, 5, 3, 0});
  log.end(160, rest);
  log.end(170, outer);
  EXPECT_EQ(log.names()[wait].total_ns, 60u);
  EXPECT_EQ(log.names()[wait].self_ns, 25u);
  EXPECT_EQ(log.names()[run].total_ns, 35u);
  EXPECT_EQ(log.names()[run].self_ns, 35u);
  EXPECT_EQ(log.names()[run].times, 2u);
  EXPECT_EQ(log.names()[run].requests, 40u);
  ASSERT_EQ(log.peers().size(), 1u);
  EXPECT_EQ(log.peers()[0].number, 3u);
  EXPECT_EQ(log.peers()[0].requests, 40u);
}

TEST(trace_log, what_another_thread_has_run_is_counted_and_no_event) {
  trace_log log(0, 100, room);
  std::uint32_t const run = name(log, trace_event::run, "r");
  auto const outer = log.begin(110, log.name_of_text(trace_event::scope, "s"));
  std::string const before(log.events());
  log.run_elsewhere(run, {0, 0, 3, 40}, 25);
  EXPECT_EQ(log.events(), before);
  log.end(150, outer);
  EXPECT_EQ(log.names()[run].times, 1u);
  EXPECT_EQ(log.names()[run].requests, 40u);
  EXPECT_EQ(log.names()[run].total_ns, 25u);
  EXPECT_EQ(log.names()[log.name_of_text(trace_event::scope, "s")].self_ns, 40u) << "it was beside the owner's";
  ASSERT_EQ(log.peers().size(), 1u);
  EXPECT_EQ(log.peers()[0].requests, 40u);
}

TEST(trace_log, events_are_written_as_the_specification_says) {
  trace_log log(2, 1000, room);
  log.moved(1200, trace_event::sent, 300, 1, 70);
  EXPECT_EQ(log.events(), std::string_view("\x07\xc8\x01\xac\x02\x01\x46"));
  log.mark(1200, log.name_of_text(trace_event::mark, "m"));
  EXPECT_EQ(log.events().substr(7), std::string_view("\x06\0\0", 3));
}

TEST(trace_log, what_ends_too_early_is_open_until_what_is_inside_has_ended) {
  trace_log log(0, 0, room);
  std::uint32_t const a = log.name_of_text(trace_event::scope, "a");
  std::uint32_t const b = log.name_of_text(trace_event::scope, "b");
  auto const outer = log.begin(10, a);
  auto const inner = log.begin(20, b);
  log.end(30, outer);
  EXPECT_EQ(log.names()[a].total_ns, 0u);
  log.end(50, inner);
  EXPECT_EQ(log.names()[b].total_ns, 30u);
  EXPECT_EQ(log.names()[a].total_ns, 40u);
  EXPECT_EQ(log.names()[a].self_ns, 10u);
}

TEST(trace_log, when_it_is_full_it_keeps_the_oldest_and_goes_on_with_the_sums) {
  trace_log log(0, 0, room);
  for (std::uint64_t i = 1; i <= 10000; ++i) log.moved(i, trace_event::sent, 1, 0, 8);
  std::string const kept(log.events());
  EXPECT_LE(kept.size(), room);
  EXPECT_GT(kept.size(), room - 100);
  EXPECT_EQ(log.dropped(), 10000 - kept.size() / 5);  // five bytes each
  EXPECT_EQ(log.full_at(), kept.size() / 5 + 1);
  EXPECT_EQ(log.peers()[0].entries_sent[0], 10000u);
  EXPECT_EQ(log.peers()[0].bytes_sent[0], 80000u);
  log.end(10001, log.begin(10001, log.name_of_text(trace_event::scope, "short")));
  EXPECT_EQ(log.events(), kept);
}

TEST(trace_log, names_that_the_program_makes_up_are_bounded) {
  trace_log log(0, 0, room);
  std::uint32_t last = 0;
  for (int i = 0; i < 5000; ++i) last = log.name_of_text(trace_event::mark, "name " + std::to_string(i));
  EXPECT_EQ(log.names().size(), 4097u);
  EXPECT_EQ(log.names()[last].text, "(other names)");
  EXPECT_EQ(log.name_of_text(trace_event::mark, "name 17"), 17u);
  EXPECT_NE(log.name_of_text(trace_event::scope, "name 17"), 17u);
}

TEST(trace_log, a_key_has_one_name) {
  trace_log log(0, 0, room);
  int asked = 0;
  auto const text = [&] { return "r" + std::to_string(asked++); };
  int key = 0, other = 0;
  std::uint32_t const first = log.name_of(&key, trace_event::run, text);
  std::uint32_t const second = log.name_of(&other, trace_event::run, text);
  EXPECT_NE(first, second);
  EXPECT_EQ(log.name_of(&key, trace_event::run, text), first);
  EXPECT_EQ(log.name_of(&key, trace_event::run, text), first);
  EXPECT_EQ(log.name_of(&other, trace_event::run, text), second);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(log.names()[second].text, "r1");
}

}  // namespace
