// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/outside.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "base/gate.hpp"
#include "message/reports.hpp"
#include "message/shared_location.hpp"
#include "sheaf/message/sender.hpp"
#include "transport/wait_reports.hpp"

namespace {

using namespace sheaf_test;
using sheaf::traffic;
using sheaf::detail::admission;
using sheaf::detail::outside;

using values = std::vector<std::uint64_t>;

TEST(outside, an_entry_is_parted_by_who_may_execute_it) {
  shared_location l;
  l.arrive_both(1, 10, 77);
  EXPECT_TRUE(l.assist());
  EXPECT_FALSE(l.net.held(1, sheaf::traffic::request)) << "its credit has gone back";
  EXPECT_TRUE(l.object.values.empty());
  EXPECT_TRUE(l.run_concurrent());
  EXPECT_EQ(l.object.values, values{77});
  EXPECT_FALSE(l.run_concurrent());
  l.work_inside();
  EXPECT_EQ(l.object.values, (values{77, 10, 11}));
  EXPECT_EQ(l.here.registered().world().executed, 3u);
}

TEST(outside, the_owner_executes_all_if_nobody_else_does) {
  shared_location l;
  l.arrive_both(1, 10, 77);
  EXPECT_TRUE(l.assist());
  l.work_inside();
  EXPECT_EQ(l.object.values, (values{10, 11, 77}));
  EXPECT_EQ(l.here.registered().world().executed, 3u);
}

TEST(outside, entries_of_a_pair_stay_in_order_wherever_they_wait) {
  shared_location l;
  l.arrive(1, 1, 2);
  EXPECT_TRUE(l.assist());
  l.arrive(1, 3);
  l.arrive(2, 100);
  l.work_inside();
  values of_one;
  for (auto const value : l.object.values) {
    if (value < 100) of_one.push_back(value);
  }
  EXPECT_EQ(of_one, (values{1, 2, 3}));
  EXPECT_EQ(l.object.values.size(), 4u);
}

TEST(outside, a_held_entry_that_was_put_aside_keeps_its_pair_waiting) {
  shared_location l(false);
  l.arrive(1, 1);
  EXPECT_TRUE(l.assist());
  l.work_inside();  // held: there is no object yet
  l.arrive(1, 2);
  EXPECT_TRUE(l.assist());
  l.arrive(1, 3);
  l.work_inside();
  EXPECT_TRUE(l.object.values.empty());
  l.add_probe();
  l.work_inside();
  EXPECT_EQ(l.object.values, (values{1, 2, 3}));
}

/// `count` requests of a pair whose first one is held, and was put aside.
values arrive_behind_a_held_one(shared_location& l, std::uint32_t source, std::uint64_t first, std::uint64_t count) {
  values all;
  for (std::uint64_t value = first; value < first + count; ++value) {
    l.arrive(source, value);
    all.push_back(value);
    if (value != first) continue;
    EXPECT_TRUE(l.assist());
    l.work_inside();
  }
  return all;
}

TEST(outside, a_pair_behind_a_held_entry_stops_where_much_was_put_aside) {
  shared_location l(false);
  values const all = arrive_behind_a_held_one(l, 1, 1, 300);  // some 20 bytes each; 2000 are put aside
  while (l.assist()) {
  }
  EXPECT_FALSE(l.net.held(1, traffic::request));
  l.work_inside();
  EXPECT_TRUE(l.net.held(1, traffic::request)) << "the next one keeps its credit";
  EXPECT_EQ(sheaf::detail::reports(l.here).unsettled_requests(), std::uint64_t{0} - 1)
      << "of those that the senders count";
  l.add_probe();
  l.work_inside();
  EXPECT_EQ(l.object.values, all);
  EXPECT_FALSE(l.net.held(1, traffic::request));
  EXPECT_EQ(sheaf::detail::reports(l.here).unsettled_requests(), 0u);
}

TEST(outside, several_pairs_stop_so_and_others_go_on) {
  shared_location l(false);
  values const of_one = arrive_behind_a_held_one(l, 1, 1000, 300), of_two = arrive_behind_a_held_one(l, 2, 2000, 300);
  l.work_inside();
  EXPECT_TRUE(l.net.held(1, traffic::request) && l.net.held(2, traffic::request));
  l.net.arrive(3, traffic::request, entry_writer().run(tag_of<loose_value>(0), 1, std::uint64_t{5}).data());
  l.work_inside();
  EXPECT_EQ(probe_answer::arrived, values{5});
  l.add_probe();
  l.work_inside();
  values got[2];
  for (auto const value : l.object.values) got[value >= 2000 ? 1 : 0].push_back(value);
  EXPECT_EQ(got[0], of_one);
  EXPECT_EQ(got[1], of_two);
}

/// What waits may be told of as such: nothing of the pair is taken before the held one is.
TEST(outside, only_pairs_that_stand_still_are_reported_so) {
  shared_location l(false);
  auto const stalled = [&] {
    sheaf::detail::location_report report;
    sheaf::detail::reports(l.here).add_to(report);
    return report.stalled;
  };
  arrive_behind_a_held_one(l, 1, 1, 2);
  l.work_inside();
  EXPECT_TRUE(stalled().empty()) << "what comes next is put aside";
  for (std::uint64_t value = 3; value < 300; ++value) l.arrive(1, value);
  l.work_inside();
  EXPECT_EQ(stalled(), std::vector<std::uint32_t>{1});
}

TEST(outside, concurrent_requests_for_an_object_that_is_not_there_are_bounded_too) {
  shared_location l(false);
  values all;
  for (std::uint64_t value = 1; value < 300; ++value) {
    all.push_back(value);
    l.net.arrive(1, traffic::request, entry_writer().run(tag_of<concurrent_value>(), 1, value).data());
    if (value != 1) continue;
    EXPECT_TRUE(l.assist());
  }
  l.work_inside();
  EXPECT_TRUE(l.net.held(1, traffic::request));
  l.add_probe();
  l.work_inside();
  std::sort(l.object.values.begin(), l.object.values.end());
  EXPECT_EQ(l.object.values, all);
}

TEST(outside, a_concurrent_request_for_an_object_that_is_not_there_yet_waits_for_it) {
  shared_location l(false);
  l.net.arrive(1, sheaf::traffic::request, entry_writer().run(tag_of<concurrent_value>(), 1, std::uint64_t{5}).data());
  EXPECT_TRUE(l.assist());
  EXPECT_TRUE(l.run_concurrent()) << "passed to the owner";
  EXPECT_TRUE(l.object.values.empty());
  l.work_inside();
  l.add_probe();
  l.work_inside();
  EXPECT_EQ(l.object.values, values{5});
}

TEST(outside, a_concurrent_request_that_needs_no_object_runs_on_another_thread) {
  shared_location l(false);
  auto const arrive = [&](std::uint32_t team) {
    sheaf::run_tag const tag = tag_of<loose_concurrent_value>(0, team);
    l.net.arrive(1, traffic::request, entry_writer().run(tag, 1, std::uint64_t{5}).data());
    EXPECT_TRUE(l.assist());
  };
  auto const run = [&] {
    return l.elsewhere([](outside& from) { return from.run_concurrent() && probe_answer::arrived == values{5}; });
  };
  arrive(0);
  EXPECT_TRUE(run()) << "that thread keeps what it brought";
  EXPECT_EQ(l.here.registered().world().executed, 1u);
  arrive(1);
  EXPECT_FALSE(run()) << "its team is not made yet: the owner holds it";
  l.work_inside();
  EXPECT_FALSE(l.here.in().held_requests().empty());
}

TEST(outside, an_object_is_called_once_its_owner_has_done_something_after_its_registration) {
  shared_location l(false);
  l.add_probe();
  l.net.arrive(1, sheaf::traffic::request, entry_writer().run(tag_of<concurrent_value>(), 1, std::uint64_t{5}).data());
  EXPECT_TRUE(l.assist());
  EXPECT_FALSE(l.run_concurrent()) << "its constructor may be at work";
  l.elsewhere([&](outside&) { return l.put(2, 1), true; });
  EXPECT_FALSE(l.run_concurrent()) << "others may send meanwhile";
  {
    admission const inside(l.here.gate());
    l.put(2, 2);
  }
  EXPECT_TRUE(l.run_concurrent());
  EXPECT_EQ(l.object.values, values{5});
}

TEST(outside, a_question_whether_all_stand_still_is_nothing_done) {
  static std::uint32_t const question = sheaf::detail::register_handler(
      {.run = [](sheaf::detail::location&, void*, sheaf::detail::execution& state) { state.at = state.run_end; },
       .object_type = nullptr,
       .kind = sheaf::traffic::answer,
       .record_bytes = 8,
       .name = "question",
       .is_progress = false});
  shared_location l;
  std::uint64_t const before = l.here.in().activity();
  l.net.arrive(1, sheaf::traffic::answer,
               entry_writer().run(sheaf::run_tag(question, 0, 0), 1, std::uint64_t{5}).data());
  EXPECT_TRUE(l.assist());
  l.work_inside();
  EXPECT_EQ(l.here.in().activity(), before);
}

TEST(outside, who_comes_to_rest_looks_at_what_others_did_before_it_sleeps) {
  shared_location l;
  l.net.on_idle = [] {};
  admission const inside(l.here.gate());
  std::thread other([&] {
    admission const also(l.here.gate());
    l.put(1, 7);
    l.here.out().flush();
  });
  std::uint32_t idled = 0;
  do {
    idled = l.net.idled;
    outside::of(l.here).rest(0, 0, false);  // lets the other one in, if it has come
  } while (l.net.sent.empty());
  EXPECT_EQ(l.net.idled, idled) << "what it waits for may be there";
  other.join();
}

TEST(outside, requests_beyond_the_reserve_stay_in_the_transport) {
  shared_location l;
  std::uint64_t sent = 0;
  for (; sent < 200; ++sent) l.arrive(1, sent);
  while (l.assist()) {
  }
  std::size_t const each = sheaf::run_header::wire_bytes + 8;
  l.net.arrive(2, sheaf::traffic::answer, entry_writer().run(tag_of<probe_answer>(0), 1, std::uint64_t{9}).data());
  EXPECT_TRUE(l.assist()) << "answers are always taken";
  l.arrive(3, 1000);
  EXPECT_FALSE(l.assist()) << "2000 bytes, of " << each << " each, are full";
  l.work_inside();
  EXPECT_EQ(l.object.values.size(), 201u);
  EXPECT_EQ(probe_answer::arrived, values{9});
}

TEST(outside, a_method_runs_outside_of_the_gate) {
  shared_location l;
  bool free_meanwhile = false;
  l.object.on_value = [&](std::uint64_t) {
    EXPECT_FALSE(l.here.gate()->held_by_me());
    free_meanwhile = l.elsewhere([](outside&) { return true; });
  };
  l.arrive(1, 1);
  l.work_inside();
  EXPECT_TRUE(free_meanwhile) << "another thread came in";
}

std::uint32_t records_in(sent_entry const& entry) {
  std::uint32_t sum = 0;
  for (auto const& run : runs_of(entry.data)) sum += run.header.count;
  return sum;
}

TEST(outside, what_a_method_elsewhere_sends_goes_to_a_stream_of_its_thread) {
  shared_location l;
  l.object.on_value = [&](std::uint64_t value) {
    admission const inside(l.here.gate());
    l.put(2, value);
  };
  l.put(2, 1);
  l.net.arrive(1, sheaf::traffic::request, entry_writer().run(tag_of<concurrent_value>(), 1, std::uint64_t{2}).data());
  EXPECT_TRUE(l.assist());
  EXPECT_TRUE(l.run_concurrent());
  l.put(2, 3);
  EXPECT_EQ(l.here.registered().world().sent, 0u) << "nothing has been handed over";
  EXPECT_FALSE(l.here.in().quiet(l.here.registered().world())) << "so there is no cut";
  l.here.out().flush();
  ASSERT_EQ(l.net.sent.size(), 2u);
  EXPECT_EQ(records_in(l.net.sent[0]), 2u) << "the owner's";
  EXPECT_EQ(records_in(l.net.sent[1]), 1u);
  EXPECT_EQ(l.here.registered().world().sent, 3u);
  EXPECT_TRUE(l.here.out().empty());
}

TEST(outside, a_concurrent_run_is_not_executed_before_it_has_ended) {
  shared_location l;
  std::uint64_t meanwhile = 1;
  l.object.on_value = [&](std::uint64_t value) {
    admission const inside(l.here.gate());
    meanwhile = l.here.registered().world().executed;
    l.put(2, value);
  };
  l.net.arrive(1, traffic::request, entry_writer().run(tag_of<concurrent_value>(), 1, std::uint64_t{2}).data());
  EXPECT_TRUE(l.assist());
  EXPECT_TRUE(l.run_concurrent());
  EXPECT_EQ(meanwhile, 0u);
  EXPECT_EQ(l.here.registered().world().executed, 1u);
}

/// A value as put_fixed writes it: without the gate, where there is room.
void put_directly(shared_location& l, std::uint32_t dest, std::uint64_t value,
                  sheaf::run_tag tag = tag_of<probe_value>()) {
  sheaf::detail::placed const room(l.here, l.here.request_box(dest), {tag, 8, 8}, {});
  std::memcpy(room.at(), &value, 8);
}

TEST(outside, a_record_needs_no_gate_where_a_buffer_has_room) {
  shared_location l;
  put_directly(l, 1, 1);  // opens the buffer
  std::thread other;
  {
    std::atomic<bool> inside{false}, appended{false};
    other = std::thread([&] {
      admission const there(l.here.gate());
      inside = true;
      while (!appended) std::this_thread::yield();
    });
    while (!inside) std::this_thread::yield();
    put_directly(l, 1, 2);
    put_directly(l, 1, 3, tag_of<loose_value>(0));  // a run of its own
    appended = true;
    other.join();
  }
  l.here.out().flush();
  ASSERT_EQ(l.net.sent.size(), 1u);
  auto const runs = runs_of(l.net.sent[0].data);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].header.count, 2u);
  EXPECT_EQ(l.here.registered().world().sent, 3u);
}

TEST(outside, a_record_that_is_being_written_does_not_leave) {
  shared_location l;
  put_directly(l, 1, 1);
  std::atomic<bool> begun{false}, flushed{false};
  std::thread other;
  {
    sheaf::detail::placed const room(l.here, l.here.request_box(1), {tag_of<probe_value>(), 8, 8}, {});
    other = std::thread([&] {
      admission const inside(l.here.gate());
      begun = true;
      l.here.out().flush();
      flushed = true;
    });
    while (!begun) std::this_thread::yield();
    for (int i = 0; i < 1000 && !flushed; ++i) std::this_thread::yield();
    EXPECT_FALSE(flushed.load());
    std::uint64_t const value = 2;
    std::memcpy(room.at(), &value, 8);
  }
  other.join();
  ASSERT_EQ(l.net.sent.size(), 1u);
  EXPECT_EQ(runs_of(l.net.sent[0].data)[0].header.count, 2u);
}

/// Between the append and the hand-over a run has no colour, and no count.
TEST(outside, a_run_has_the_colour_of_its_hand_over) {
  shared_location l;
  sheaf::detail::team_state& world = l.here.registered().world();
  put_directly(l, 1, 1);
  put_directly(l, 1, 2, tag_of<loose_value>(0));
  world.colour = 7;
  l.here.out().flush();
  for (auto const& run : runs_of(l.net.sent[0].data)) EXPECT_EQ(run.header.world_colour, 7);
}

TEST(outside, what_could_not_leave_is_counted_once) {
  shared_location l;
  auto const try_put = [&](std::uint64_t value) {
    admission const inside(l.here.gate());
    std::byte* const at = l.here.request_box(1).try_append(tag_of<probe_value>(), 8, 8);
    if (at != nullptr) std::memcpy(at, &value, 8);
    return at != nullptr;
  };
  std::uint64_t put = 0;
  l.net.credits = 0;
  while (try_put(put)) ++put;
  EXPECT_EQ(l.here.registered().world().sent, put) << "it has been tried";
  l.net.credits = ~std::size_t{0};
  put_directly(l, 1, put);
  l.here.out().flush();
  EXPECT_EQ(l.here.registered().world().sent, put + 1);
}

TEST(outside, streams_of_threads_that_have_detached_are_used_again) {
  shared_location l;
  sheaf::detail::stream const* first = nullptr;
  for (int i = 0; i < 3; ++i) {
    std::thread([&] {
      outside& here = outside::of(l.here);
      here.attached.enter();
      put_directly(l, 1, 1);
      sheaf::detail::stream const* const its = &l.here.out().requests_by_thread->of_caller();
      EXPECT_NE(its, &l.here.out().of(traffic::request));
      EXPECT_EQ(its, first == nullptr ? its : first);
      first = its;
      here.attached.leave();
    }).join();
  }
  EXPECT_EQ(l.net.sent.size(), 3u) << "who detaches flushes";
}

TEST(outside, another_thread_that_is_not_attached_must_not_wait) {
  shared_location l;
  l.elsewhere([&](outside&) {
    EXPECT_TRUE(l.here.in().in_handler()) << "it must not execute either";
    EXPECT_THROW(l.here.check_may_wait(sheaf::detail::wait_kind::answer, "the test"), sheaf::usage_error);
    EXPECT_THROW(l.add_probe(), sheaf::usage_error);
    return true;
  });
}

/// What the location says of what attached threads wait for, as soon as one does.
std::string what_guests_wait_for(shared_location& l) {
  while (true) {
    sheaf::detail::location_report report;
    admission const inside(l.here.gate());
    sheaf::detail::reports(l.here).add_to(report);
    if (!report.suspended.empty()) return report.suspended[0].in + ": " + report.suspended[0].text;
    sheaf::detail::gate_break const open(l.here.gate());
    std::this_thread::yield();
  }
}

TEST(outside, an_attached_thread_that_waits_for_room_says_for_which_request) {
  shared_location l;
  l.net.credits = 0;
  l.net.on_idle = [] {};
  std::thread guest([&] {
    outside& from = outside::of(l.here);
    from.attached.enter();
    for (std::uint64_t i = 0; i < 500; ++i) {  // more than 2000 bytes
      admission const inside(l.here.gate());
      l.put(2, i);
    }
    from.attached.leave();
  });
  EXPECT_EQ(what_guests_wait_for(l),
            "a thread that is attached to it: sending a request for room at location 2, which has not executed what it "
            "was sent; the request is to sheaf_test::probe_value on object 1 of team 0");
  {
    admission const inside(l.here.gate());
    l.net.credits = ~std::size_t{0};
  }
  guest.join();
  EXPECT_EQ(l.here.registered().world().sent, 500u);
}

}  // namespace
