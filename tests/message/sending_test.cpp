// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The way out: what entries a location sends, and when.
#include <gtest/gtest.h>

#include "message/probe.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using sheaf::run_header;
using sheaf::traffic;
using sheaf_test::lone_location;
using sheaf_test::probe_answer;
using sheaf_test::probe_value;
using sheaf_test::runs_of;
using sheaf_test::tag_of;

std::vector<std::uint64_t> values_of(sheaf_test::bytes const& records) {
  std::vector<std::uint64_t> values(records.size() / 8);
  if (!values.empty()) std::memcpy(values.data(), records.data(), records.size());
  return values;
}

TEST(sending, puts_requests_of_one_tag_into_one_run) {
  lone_location l;
  for (std::uint64_t v : {10, 11, 12}) l.put(1, v);
  EXPECT_TRUE(l.net.sent.empty());
  l.here.request_box(1).flush();
  ASSERT_EQ(l.net.sent.size(), 1u);
  EXPECT_EQ(l.net.sent[0].dest, 1u);
  EXPECT_FALSE(l.net.sent[0].inlined);
  auto const runs = runs_of(l.net.sent[0].data);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].header.tag, tag_of<probe_value>());
  EXPECT_EQ(runs[0].header.count, 3u);
  EXPECT_EQ(runs[0].header.scope, 0u);
  EXPECT_EQ(values_of(runs[0].records), (std::vector<std::uint64_t>{10, 11, 12}));
}

TEST(sending, opens_a_new_run_where_the_object_or_the_handler_changes) {
  lone_location l;
  l.put(1, 1);
  l.put(1, 2, tag_of<probe_value>(2));
  l.put(1, 3, tag_of<probe_value>(2));
  l.put_text(1, "four");
  l.put_text(1, "");
  l.put(1, 6);
  l.here.out().flush();
  ASSERT_EQ(l.net.sent.size(), 1u);
  auto const runs = runs_of(l.net.sent[0].data);
  ASSERT_EQ(runs.size(), 4u);
  std::uint32_t const counts[] = {1, 2, 2, 1};
  std::uint32_t const sizes[] = {8, 16, 6, 8};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(runs[i].header.count, counts[i]) << i;
    EXPECT_EQ(runs[i].header.bytes, sizes[i]) << i;
  }
}

TEST(sending, counts_what_it_sent_when_it_sends_it) {
  lone_location l;
  auto& team = l.here.registered().add_team({3, 0}, std::vector{sheaf::location_id{0}, sheaf::location_id{1}});
  for (int i = 0; i < 5; ++i) l.put(1, 1);
  for (int i = 0; i < 2; ++i) l.put(1, 1, tag_of<probe_value>(1, 3));
  l.put_answer(1, 4);
  EXPECT_FALSE(l.here.out().empty());
  l.here.out().flush();
  EXPECT_TRUE(l.here.out().empty());
  EXPECT_EQ(l.here.registered().world().sent, 7u) << "the world counts all teams' requests, and no answers";
  EXPECT_EQ(team.sent, 2u);
  l.urgent(2, 9);
  EXPECT_EQ(l.here.registered().world().sent, 8u);
}

TEST(sending, colours_requests_with_the_cuts_of_their_team_and_the_world) {
  lone_location l;
  l.here.registered().add_team({3, 0}, std::vector{sheaf::location_id{0}}).colour = 7;
  l.here.registered().world().colour = 255;
  l.put(1, 1, tag_of<probe_value>(1, 3));
  l.put(1, 1);
  l.here.out().flush();
  auto const runs = runs_of(l.net.sent[0].data);
  EXPECT_EQ(runs[0].header.team_colour, 7u);
  EXPECT_EQ(runs[0].header.world_colour, 255u);
  EXPECT_EQ(runs[1].header.team_colour, 255u) << "the world is the team";
}

TEST(sending, keeps_the_classes_apart) {
  lone_location l;
  l.put(1, 1);
  l.put_answer(1, 2);
  l.here.answer_box(1).flush();
  ASSERT_EQ(l.net.sent.size(), 1u);
  EXPECT_EQ(l.net.sent[0].kind, traffic::answer);
  l.here.out().flush();
  EXPECT_EQ(l.net.sent[1].kind, traffic::request);
}

TEST(sending, takes_a_record_that_is_larger_than_any_buffer) {
  lone_location l;
  std::string const large(5000, 'x');
  l.put_text(1, "small");
  l.put_text(1, large);
  l.put_text(1, "small");
  l.here.out().flush();
  ASSERT_EQ(l.net.sent.size(), 3u);
  EXPECT_EQ(l.net.sent[1].data.size(), 20 + 2 + large.size());
}

TEST(sending, says_which_buffers_are_full_of_small_records) {
  lone_location l;
  while (l.net.sent.empty()) l.put(1, 1);
  l.here.request_box(1).flush();
  while (l.net.sent.size() < 4) l.put_text(1, std::string(513, 'x'));
  ASSERT_GE(l.net.sent.size(), 4u);
  EXPECT_TRUE(l.net.sent[0].streams);
  EXPECT_FALSE(l.net.sent[1].streams) << "it was not full";
  EXPECT_FALSE(l.net.sent[2].streams) << "large records";
}

TEST(sending, sends_the_urgent_behind_what_was_issued_before) {
  lone_location l;
  l.put(1, 1);
  l.put(2, 5);
  l.urgent(1, 2);
  ASSERT_EQ(l.net.sent.size(), 2u);
  EXPECT_FALSE(l.net.sent[0].inlined);
  EXPECT_TRUE(l.net.sent[1].inlined);
  EXPECT_EQ(values_of(runs_of(l.net.sent[0].data)[0].records), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(values_of(runs_of(l.net.sent[1].data)[0].records), (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(runs_of(l.net.sent[1].data)[0].header.count, 1u);
}

TEST(sending, a_flush_begins_at_another_destination_than_the_last_one) {
  lone_location l;
  for (std::uint64_t i = 0; i < 2; ++i) {
    for (std::uint32_t const dest : {1u, 2u}) l.put(dest, i);
    l.here.out().flush();
  }
  ASSERT_EQ(l.net.sent.size(), 4u);
  EXPECT_NE(l.net.sent[0].dest, l.net.sent[2].dest);
}

TEST(sending, answers_that_wait_for_credit_leave_after_the_last_request) {
  lone_location l;
  l.net.credits = 0;
  l.put(1, 1);
  l.put_answer(2, 2);
  l.here.out().flush();
  l.net.credits = 1;
  EXPECT_TRUE(l.here.step());
  EXPECT_FALSE(l.here.out().empty());
  l.net.credits = 10;
  EXPECT_TRUE(l.here.step());
  EXPECT_TRUE(l.here.out().empty());
}

TEST(sending, sends_the_urgent_behind_what_waits_for_credit) {
  lone_location l;
  l.net.credits = 0;
  l.put(1, 1);
  l.here.request_box(1).flush();
  l.net.credits = 100;
  l.urgent(1, 2);
  EXPECT_TRUE(l.net.sent.empty()) << "although there is credit now";
  l.work();
  ASSERT_EQ(l.net.sent.size(), 2u);
  EXPECT_EQ(values_of(runs_of(l.net.sent[0].data)[0].records), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(values_of(runs_of(l.net.sent[1].data)[0].records), (std::vector<std::uint64_t>{2}));
}

TEST(sending, urgent_records_behind_what_waits_for_credit_share_a_buffer_and_leave_with_the_credit) {
  lone_location l;
  l.net.credits = 0;
  for (std::uint64_t i = 0; i < 6; ++i) l.urgent(1, i);
  EXPECT_EQ(l.here.out().reserve_used(), 256u) << "of the first; the others gather";
  l.net.credits = 100;
  EXPECT_TRUE(l.here.step()) << "once, and nothing is flushed because the location is idle";
  ASSERT_EQ(l.net.sent.size(), 2u);
  auto const runs = runs_of(l.net.sent[1].data);
  ASSERT_EQ(runs.size(), 5u) << "some records stand alone in their runs";
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(values_of(runs[i].records), (std::vector<std::uint64_t>{i + 1}));
}

TEST(sending, sends_an_urgent_record_that_is_too_long_for_a_slot_in_a_buffer) {
  lone_location l;
  std::byte entry[run_header::wire_bytes + 47] = {};
  l.put(1, 1);
  l.here.request_box(1).send_urgent(tag_of<sheaf_test::probe_text>(), entry);
  ASSERT_EQ(l.net.sent.size(), 1u) << "one buffer for both";
  EXPECT_FALSE(l.net.sent[0].inlined);
  auto const runs = runs_of(l.net.sent[0].data);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].header.count, 1u);
  EXPECT_EQ(runs[1].header.bytes, 47u);
}

/// Of more bytes than any slot has.
void send_at_once(lone_location& l, std::uint32_t dest, std::byte first, std::size_t bytes = 120) {
  l.here.request_box(dest).send_at_once(tag_of<sheaf_test::probe_text>(), bytes,
                                        [&](std::byte* to) { std::fill_n(to, bytes, first); });
}
std::byte first_of(sheaf_test::bytes const& entry, std::size_t run) { return runs_of(entry).at(run).records.at(0); }

TEST(sending, a_record_at_once_has_a_block_of_its_own_where_nothing_is_before_it) {
  lone_location l;
  send_at_once(l, 1, std::byte{7});
  ASSERT_EQ(l.net.sent.size(), 1u);
  EXPECT_FALSE(l.net.sent[0].inlined);
  EXPECT_EQ(l.net.sent[0].data.size(), run_header::lone_bytes + 120) << "with the short header";
  EXPECT_EQ(first_of(l.net.sent[0].data, 0), std::byte{7});
  EXPECT_EQ(l.here.registered().world().sent, 1u);
  l.put(1, 1);
  send_at_once(l, 1, std::byte{8});
  ASSERT_EQ(l.net.sent.size(), 2u) << "one buffer for what was put before it, and for it";
  EXPECT_EQ(first_of(l.net.sent[1].data, 1), std::byte{8});
  send_at_once(l, 2, std::byte{7}, 60);
  EXPECT_EQ(l.net.sent.at(2).data.size(), run_header::lone_bytes + 60) << "by way of an entry, where slots are larger";
  sheaf::detail::sending_in const in(l.here.out(), sheaf::run_scope(0, 1, 0));
  send_at_once(l, 1, std::byte{9});
  EXPECT_EQ(runs_of(l.net.sent.at(3).data).at(0).header.in_scope().number(), 1u);
}

TEST(sending, records_at_once_without_credit_keep_their_order) {
  lone_location l;
  l.net.credits = 0;
  for (unsigned char i = 0; i < 2; ++i) send_at_once(l, 1, std::byte{i});
  EXPECT_EQ(l.here.out().reserve_used(), 256u);
  EXPECT_EQ(l.here.registered().world().sent, 2u) << "counted, though they wait";
  l.net.credits = 100;
  l.work();
  ASSERT_EQ(l.net.sent.size(), 2u);
  EXPECT_EQ(first_of(l.net.sent[0].data, 0), std::byte{0});
  EXPECT_EQ(first_of(l.net.sent[1].data, 0), std::byte{1});
}

/// Questions of one kind may be both: those that are gathered, of one size, and those that are urgent.
TEST(sending, an_urgent_record_behind_a_full_run_of_its_tag_does_not_pass_the_buffers_end) {
  lone_location l;
  std::byte entry[run_header::wire_bytes + 48] = {};
  auto const tag = tag_of<sheaf_test::probe_text>();
  for (int i = 0; i < 4; ++i) std::memset(l.here.request_box(1).append(tag, 48), 0, 48);
  l.here.request_box(1).send_urgent(tag, entry);
  ASSERT_EQ(l.net.sent.size(), 2u);
  for (auto const& each : l.net.sent) EXPECT_LE(each.data.size(), 256u);
  EXPECT_EQ(runs_of(l.net.sent[1].data)[0].header.count, 1u);
}

TEST(sending, keeps_what_is_refused_and_its_order) {
  lone_location l;
  l.net.credits = 0;
  l.urgent(1, 1);
  l.put_answer(1, 100);
  l.here.out().flush();
  l.urgent(1, 2);
  l.urgent(2, 3);
  EXPECT_TRUE(l.net.sent.empty());
  EXPECT_FALSE(l.here.out().empty());
  EXPECT_FALSE(!l.here.out().of(sheaf::traffic::answer).overflows());
  EXPECT_EQ(l.here.out().reserve_used(), 2u * 256) << "the memory of full buffers counts, but not that of answers";
  l.net.credits = 2;
  EXPECT_TRUE(l.here.step());
  l.net.credits = 10;
  l.urgent(1, 4);
  l.here.out().flush();
  while (!l.here.out().empty()) ASSERT_TRUE(l.here.step());
  EXPECT_EQ(l.here.out().reserve_used(), 0u);
  std::vector<std::uint64_t> to_1;
  for (auto const& e : l.net.sent) {
    if (e.dest == 1 && e.kind == traffic::request) to_1.push_back(values_of(runs_of(e.data)[0].records)[0]);
  }
  EXPECT_EQ(to_1, (std::vector<std::uint64_t>{1, 2, 4}));
  EXPECT_EQ(l.net.sent.size(), 5u);
}

TEST(sending, offers_an_answer_only_where_there_is_credit) {
  lone_location l;
  std::byte entry[run_header::wire_bytes + 8] = {};
  EXPECT_TRUE(l.here.answer_box(1).offer(tag_of<probe_answer>(0), entry));
  EXPECT_EQ(l.net.sent.size(), 1u);
  l.net.credits = 0;
  EXPECT_FALSE(l.here.answer_box(1).offer(tag_of<probe_answer>(0), entry));
  EXPECT_TRUE(l.here.out().empty());
}

/// However many places for answers there are at first.
TEST(sending, questions_are_interrupted_after_as_many_as_statements) {
  auto settings = sheaf_test::fake_settings();
  settings.buffer_bytes = settings.first_flush_bytes = 1 << 16;
  settings.poll_every = 100;
  for (bool const asks : {false, true}) {
    lone_location l(settings);
    std::uint64_t unanswered = 0;
    sheaf::detail::asker const who{nullptr, &unanswered, nullptr};
    l.arrive(2, 7);
    int before = 0;
    for (; l.object.values.empty(); ++before) {
      ASSERT_LT(before, 1000);
      l.here.request_box(1).append_slowly({tag_of<probe_value>(), 8, 8, asks ? &who : nullptr}, {});
      if (asks) *l.here.request_box(1).place++ = 1;
    }
    EXPECT_EQ(before, 101) << asks;
    l.here.out().flush();
  }
}

TEST(sending, refuses_an_entry_without_a_record_behind_the_room_for_its_header) {
  lone_location l;
  std::byte entry[run_header::wire_bytes] = {};
  for (std::size_t bytes : {std::size_t{0}, run_header::wire_bytes}) {
    std::span<std::byte> const part(entry, bytes);
    EXPECT_THROW(l.here.answer_box(1).offer(tag_of<probe_answer>(0), part), sheaf::usage_error);
    EXPECT_THROW(l.here.request_box(1).send_urgent(tag_of<probe_value>(), part), sheaf::usage_error);
  }
  EXPECT_TRUE(l.net.sent.empty());
}

TEST(sending, the_program_waits_for_credit_and_executes_meanwhile) {
  lone_location l;
  l.net.credits = 0;
  l.net.on_idle = [&] {
    if (l.object.values.empty()) return l.arrive(2, 77);
    l.net.credits = 100;
  };
  for (std::uint64_t i = 0; i < 100; ++i) l.put(1, i);
  EXPECT_EQ(l.net.idled, 2u);
  EXPECT_EQ(l.object.values, std::vector<std::uint64_t>{77});
  l.here.out().flush();
  l.work();
  std::vector<std::uint64_t> sent;
  for (auto const& e : l.net.sent) {
    for (auto const v : values_of(runs_of(e.data)[0].records)) sent.push_back(v);
  }
  ASSERT_EQ(sent.size(), 100u);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(sent[i], i);
}

TEST(sending, a_program_that_polls_keeps_back_one_buffer_and_fills_the_next) {
  lone_location l;
  l.net.credits = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    l.put(1, i);
    l.here.poll();
  }
  EXPECT_EQ(l.here.out().reserve_used(), 256u) << "not one for each poll";
  l.net.credits = 100;
  while (!l.here.out().empty()) l.here.poll();
  std::vector<std::uint64_t> sent;
  for (auto const& e : l.net.sent) {
    for (auto const v : values_of(runs_of(e.data)[0].records)) sent.push_back(v);
  }
  ASSERT_EQ(sent.size(), 20u);
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(sent[i], i);
}

TEST(sending, a_handler_never_waits_for_credit) {
  lone_location l;
  l.net.credits = 0;
  l.object.on_value = [&](std::uint64_t) {
    for (std::uint64_t i = 0; i < 1000; ++i) l.put(1, i);
  };
  l.arrive(2, 1);
  EXPECT_TRUE(l.here.step());
  EXPECT_EQ(l.net.idled, 0u);
  EXPECT_GT(l.here.out().reserve_used(), 7000u);
}

TEST(sending, polls_between_requests_every_so_many_calls) {
  auto o = sheaf_test::fake_settings();
  o.poll_every = 10;
  lone_location l(o);
  l.arrive(2, 5);
  for (int i = 0; i < 10; ++i) l.put(1, 1);
  EXPECT_TRUE(l.object.values.empty());
  l.put(1, 1);
  EXPECT_EQ(l.object.values.size(), 1u);
  l.arrive(2, 6);
  for (int i = 0; i < 9; ++i) l.put(1, 1);
  EXPECT_EQ(l.object.values.size(), 1u);
  l.put(1, 1);
  EXPECT_EQ(l.object.values.size(), 2u);
}

TEST(sending, polls_although_the_program_flushes_before_so_many_requests) {
  auto o = sheaf_test::fake_settings();
  o.poll_every = 10;
  lone_location l(o);
  l.arrive(2, 5);
  for (int i = 0; i < 10; ++i) {
    l.put(1, 1);
    l.here.out().flush();
  }
  EXPECT_TRUE(l.object.values.empty());
  l.put(1, 1);
  EXPECT_EQ(l.object.values.size(), 1u);
}

TEST(sending, polls_although_the_requests_take_turns_with_others) {
  auto o = sheaf_test::fake_settings();
  o.poll_every = 10;
  lone_location l(o);
  l.arrive(2, 5);
  for (int i = 0; i < 5; ++i) {
    l.put(1, 1);
    l.put_text(1, "a");
  }
  l.put(1, 1);
  EXPECT_EQ(l.object.values.size(), 1u);
}

TEST(sending, a_handler_that_runs_while_a_request_waits_for_room_may_send_the_same_way) {
  auto o = sheaf_test::fake_settings();
  lone_location l(o);
  l.object.on_value = [&](std::uint64_t v) { l.put(1, 1000 + v); };
  l.net.credits = 0;
  l.net.on_idle = [&] {
    if (l.object.values.empty()) return l.arrive(2, 1, 2, 3);
    l.net.credits = 1;
  };
  for (std::uint64_t i = 0; i < 200; ++i) l.put(1, i);
  l.net.credits = 100;
  l.here.out().flush();
  l.work();
  std::uint64_t next = 0;
  for (auto const& e : l.net.sent) {
    for (auto const v : values_of(runs_of(e.data)[0].records)) {
      if (v >= 1000) continue;
      EXPECT_EQ(v, next++);
    }
  }
  EXPECT_EQ(next, 200u);
}

}  // namespace
