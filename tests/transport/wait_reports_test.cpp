// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The text about a deadlocked job, from reports made by hand.
#include "transport/wait_reports.hpp"

#include <gtest/gtest.h>

namespace {

using sheaf::detail::all_stand_behind_held;
using sheaf::detail::call_report;
using sheaf::detail::job_state_text;
using sheaf::detail::link_report;
using sheaf::detail::location_report;
using sheaf::detail::team_report;
using sheaf::detail::text_of_waits;
using sheaf::detail::wait_report;
using sheaf::detail::waits_text;
using reports = std::vector<location_report>;

wait_report for_answer(std::uint32_t of, std::string in = "") {
  return {.in = std::move(in), .text = "sync for an answer", .on = of};
}

wait_report for_anybody(std::string in = "") {
  return {.in = std::move(in), .text = "wait_for_request for a request of any location", .on_anybody = true};
}

wait_report for_team(std::uint32_t team, std::vector<std::uint32_t> those) {
  return {.text = "fence for the members", .team = team, .those = std::move(those), .on_requests = true};
}

/// As many locations as there are lists of waits, by number.
reports jobs(std::vector<std::vector<wait_report>> waits) {
  reports all;
  for (auto& list : waits) {
    location_report& one = all.emplace_back();
    one.location = static_cast<std::uint32_t>(all.size() - 1);
    one.waits = std::move(list);
    one.teams.push_back({.id = 0, .begun = 1});
  }
  return all;
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

TEST(wait_reports, waits_are_told_from_the_outermost_in) {
  location_report const one{.location = 3, .waits = {for_answer(1), for_anybody("t::f, called by location 2")}};
  EXPECT_EQ(waits_text(one, {}),
            "\n  location 3 waits in sync for an answer"
            "\n  location 3, in t::f, called by location 2, waits in wait_for_request for a request of any "
            "location");
}

TEST(wait_reports, what_is_held_follows_the_waits) {
  location_report const one{.location = 0, .waits = {for_anybody()}, .kept = "\n  location 0 holds 2 requests"};
  EXPECT_TRUE(has(waits_text(one, {}), "any location\n  location 0 holds 2 requests"));
}

TEST(wait_reports, members_that_have_not_come_are_named) {
  reports all = jobs({{for_team(0, {0, 1, 2})}, {for_anybody()}, {for_team(0, {0, 1, 2})}});
  all[1].teams[0].begun = 0;
  std::string const text = text_of_waits(all);
  EXPECT_TRUE(has(text, "location 0 waits in fence for the members; location 1 has not come to it")) << text;
  EXPECT_TRUE(has(text, "location 2 waits in fence for the members; location 1 has not come to it")) << text;
  all[2].teams.clear();  // it never made the team
  EXPECT_TRUE(has(text_of_waits(all), "the members; locations 1, 2 have not come to it")) << text_of_waits(all);
}

TEST(wait_reports, members_that_call_another_operation_are_named) {
  reports all = jobs({{for_team(0, {0, 1, 2})}, {for_team(0, {0, 1, 2})}, {for_team(0, {0, 1, 2})}});
  EXPECT_TRUE(has(text_of_waits(all), "; all members are in it")) << text_of_waits(all);
  all[1].teams[0].mark = 7;
  std::string const text = text_of_waits(all);
  EXPECT_TRUE(has(text, "location 0 waits in fence for the members; location 1 calls another operation")) << text;
  EXPECT_TRUE(has(text, "location 1 waits in fence for the members; locations 0, 2 call another operation")) << text;
  all[1].teams[0].begun = 2;  // it has gone on
  EXPECT_FALSE(has(text_of_waits(all), "another operation")) << text_of_waits(all);
}

TEST(wait_reports, a_list_of_absent_members_is_cut) {
  std::vector<std::uint32_t> everybody(40);
  for (std::uint32_t i = 0; i < 40; ++i) everybody[i] = i;
  reports all = jobs(std::vector<std::vector<wait_report>>(40, {for_anybody()}));
  all[0].waits = {for_team(0, everybody)};
  for (std::size_t i = 1; i < 40; ++i) all[i].teams[0].begun = 0;
  std::string const text = text_of_waits(all);
  EXPECT_TRUE(has(text, "locations 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 and 23 more have not come"))
      << text;
  EXPECT_TRUE(has(text, "\n  and 24 more locations")) << text;
}

TEST(wait_reports, a_fence_with_all_members_tells_its_sums) {
  reports all = jobs({{for_team(0, {0, 1})}, {for_team(0, {0, 1})}});
  all[0].teams[0].sent = 7;
  all[1].teams[0].executed = 4;
  all[1].teams[0].awaited = 2;
  EXPECT_TRUE(has(text_of_waits(all),
                  "; all members are in it; of the team's requests, 7 were sent and 4 executed, and 2 "
                  "wait for answers"));
}

TEST(wait_reports, a_cycle_of_methods_is_named_before_any_other) {
  reports const all = jobs({{for_answer(2), for_answer(1, "a")}, {for_answer(0, "b")}, {for_answer(0)}});
  EXPECT_TRUE(has(text_of_waits(all),
                  "\n  a cycle of waiting methods: location 0 (a) waits for location 1 (b) waits "
                  "for location 0"))
      << text_of_waits(all);
}

TEST(wait_reports, a_cycle_through_programs_is_named) {
  reports const all = jobs({{for_answer(1)}, {for_answer(2)}, {for_answer(0)}, {for_answer(0)}});
  EXPECT_TRUE(has(text_of_waits(all),
                  "\n  a cycle of waits: location 0 waits for location 1 waits for location 2 "
                  "waits for location 0"));
}

TEST(wait_reports, a_cycle_that_begins_behind_others_leaves_them_out) {
  reports const all = jobs({{for_answer(1)}, {for_answer(2)}, {for_answer(1)}});
  EXPECT_TRUE(has(text_of_waits(all), "a cycle of waits: location 1 waits for location 2 waits for location 1"));
}

TEST(wait_reports, who_waits_for_anybody_in_a_program_makes_no_cycle) {
  reports const all = jobs({{for_anybody()}, {for_answer(0)}});
  EXPECT_FALSE(has(text_of_waits(all), "cycle")) << text_of_waits(all);
}

TEST(wait_reports, a_method_that_waits_for_anybody_is_in_a_cycle_only_where_one_other_method_waits) {
  reports const two = jobs({{for_answer(1, "a")}, {for_anybody("b")}});
  EXPECT_TRUE(has(text_of_waits(two), "location 0 (a) waits for location 1 (b) waits for location 0"))
      << text_of_waits(two);
  reports const beside = jobs({{for_answer(1, "a")}, {for_anybody("b")}, {for_answer(1)}});
  EXPECT_TRUE(has(text_of_waits(beside), "location 0 (a) waits for location 1 (b) waits for location 0"));
  reports const three = jobs({{for_answer(1, "a")}, {for_anybody("b")}, {for_answer(1, "c")}});
  EXPECT_FALSE(has(text_of_waits(three), "cycle")) << text_of_waits(three);
}

TEST(wait_reports, a_barrier_that_all_are_in_waits_for_no_requests) {
  wait_report inside = for_team(0, {0, 1});
  inside.text = "barrier, called at a.cpp:1, for the members";
  inside.on_requests = false;
  std::string const text = text_of_waits(jobs({{inside}, {inside}}));
  EXPECT_TRUE(has(text, "; all members are in it")) << text;
  EXPECT_FALSE(has(text, "of the team's requests")) << text;
}

/// A coroutine that answers a call of `caller`'s and awaits one of its own.
wait_report coroutine(std::string in, call_report call, std::uint32_t on) {
  return {.in = std::move(in), .text = "co_await for an answer", .on = on, .calls = {call}};
}

TEST(wait_reports, coroutines_follow_the_waits_and_are_counted) {
  location_report one{.location = 3, .waits = {for_answer(1)}, .kept = "\n  location 3 holds"};
  one.suspended = {coroutine("t::f, called by location 2", {}, 1), coroutine("t::g, called by location 2", {}, 1)};
  one.suspended[1].count = 40;
  one.more_suspended = 7;
  EXPECT_EQ(waits_text(one, {}),
            "\n  location 3 waits in sync for an answer"
            "\n  location 3, in t::f, called by location 2, waits in co_await for an answer"
            "\n  location 3, in t::g, called by location 2, waits in co_await for an answer; 40 coroutines wait so"
            "\n  location 3 has 7 more coroutines that wait\n  location 3 holds");
  one.waits.clear();
  EXPECT_TRUE(has(own_state_text(one), "sheaf: asked by a signal:\n  location 3 polls\n  location 3, in t::f"));
}

TEST(wait_reports, coroutines_that_wait_for_each_other_are_a_cycle) {
  reports all = jobs({{for_team(0, {0, 1})}, {for_team(0, {0, 1})}});
  all[0].suspended = {coroutine("f", {1, 10, 20}, 1)};
  all[1].suspended = {coroutine("g", {0, 20, 10}, 0)};
  EXPECT_TRUE(has(text_of_waits(all),
                  "\n  a cycle of waiting methods: location 0 (f) waits for location 1 (g) waits for location 0"))
      << text_of_waits(all);
}

TEST(wait_reports, calls_of_the_same_method_are_told_apart_in_cycles) {
  reports all = jobs({{for_team(0, {0, 1})}, {for_team(0, {0, 1})}});
  all[0].suspended = {coroutine("f", {1, 10, 20}, 1)};
  all[1].suspended = {coroutine("f", {0, 20, 11}, 0)};
  EXPECT_FALSE(has(text_of_waits(all), "cycle")) << text_of_waits(all);
}

TEST(wait_reports, a_cycle_may_lead_through_coroutines_and_methods) {
  reports all = jobs({{for_answer(1, "a")}, {for_anybody()}});
  all[0].waits[0].calls = {{0, 0, 5}};
  all[1].suspended = {coroutine("f", {0, 5, 6}, 0)};
  EXPECT_TRUE(has(text_of_waits(all),
                  "\n  a cycle of waiting methods: location 0 (a) waits for location 1 (f) waits for location 0"))
      << text_of_waits(all);
}

TEST(wait_reports, two_teams_in_different_orders_are_a_cycle) {
  reports all = jobs({{for_team(1, {0, 1})}, {for_team(0, {0, 1})}});
  all[0].teams = {{.id = 0, .begun = 1}, {.id = 1, .begun = 1}};
  all[1].teams = {{.id = 0, .begun = 2}, {.id = 1, .begun = 0}};
  EXPECT_TRUE(has(text_of_waits(all), "a cycle of waits: location 0 waits for location 1 waits for location 0"))
      << text_of_waits(all);
}

TEST(wait_reports, pairs_have_the_counts_of_both_ends_and_those_that_differ_come_first) {
  reports all = jobs({{for_anybody()}, {for_anybody()}});
  all[0].links = {{.peer = 1, .created = 5, .sent = 5},
                  {.peer = 0, .created = 2, .sent = 2, .received = 2, .executed = 2}};
  all[1].links = {{.peer = 0, .created = 9, .sent = 8, .received = 5, .executed = 5}};
  std::string const text = text_of_waits(all);
  auto const differs = text.find("\n  requests from location 1 to 0: 9 created, 8 sent, 0 received, 0 executed");
  auto const agrees = text.find("\n  requests from location 0 to 1: 5 created, 5 sent, 5 received, 5 executed");
  EXPECT_LT(differs, agrees) << text;
  EXPECT_TRUE(has(text, "\n  requests from location 0 to 0: 2 created, 2 sent, 2 received, 2 executed")) << text;
}

TEST(wait_reports, a_pair_without_requests_is_left_out_and_many_are_cut) {
  reports all = jobs({{for_anybody()}});
  all[0].links = {{.peer = 1}};
  EXPECT_FALSE(has(text_of_waits(all), "requests from")) << text_of_waits(all);
  all[0].links.clear();
  for (std::uint32_t i = 0; i < 20; ++i) all[0].links.push_back({.peer = i, .created = 1});
  EXPECT_TRUE(has(text_of_waits(all), "\n  and 4 more pairs"));
}

TEST(wait_reports, locations_that_have_left_are_no_members_to_wait_for) {
  reports all = jobs({{for_team(0, {0, 1, 2})}, {for_team(0, {0, 1, 2})}});
  EXPECT_TRUE(has(text_of_waits(all), "all members are in it")) << text_of_waits(all);
}

TEST(wait_reports, an_answer_to_a_signal_says_what_is_known_at_one_end) {
  location_report one{.location = 1, .waits = {for_team(0, {0, 1})}};
  one.links = {{.peer = 0, .created = 4, .sent = 3}};
  EXPECT_EQ(own_state_text(one),
            "sheaf: asked by a signal:\n  location 1 waits in fence for the members\n  requests "
            "from location 1 to 0: 4 created, 3 sent\n");
  one.waits.clear();
  EXPECT_TRUE(has(own_state_text(one), "\n  location 1 polls\n"));
}

TEST(wait_reports, a_whole_job_that_was_asked_names_those_that_have_not_answered) {
  reports all = jobs({{for_team(0, {0, 1, 2})}, {}, {for_anybody()}});
  all[0].asked = all[2].asked = 7;
  all[0].links = {{.peer = 1, .created = 4, .sent = 3}, {.peer = 2, .created = 2, .sent = 2}};
  std::string const text = job_state_text(all);
  EXPECT_TRUE(has(text, "sheaf: asked by a signal, the whole job of 3 locations:\n  location 0 waits in ")) << text;
  EXPECT_TRUE(has(text, "\n  requests from location 0 to 1: 4 created, 3 sent\n")) << text;
  EXPECT_TRUE(has(text, "\n  requests from location 0 to 2: 2 created, 2 sent, 0 received, 0 executed")) << text;
  EXPECT_TRUE(has(text, "\n  location 1 has not come to a wait or a poll since: it computes\n")) << text;
  EXPECT_FALSE(has(text, "all members are in it")) << text;
  all[1].asked = 7;
  EXPECT_TRUE(has(job_state_text(all), "\n  location 1 polls\n")) << job_state_text(all);
}

TEST(wait_reports, what_was_not_received_must_stand_behind_what_is_held) {
  reports all = jobs({{for_anybody()}, {for_anybody()}});
  all[0].links = {{.peer = 1, .sent = 5}};
  all[1].links = {{.peer = 0, .received = 5}};
  EXPECT_TRUE(all_stand_behind_held(all)) << "all has come";
  all[1].links[0].received = 3;
  EXPECT_FALSE(all_stand_behind_held(all));
  all[0].stalled = {1};
  EXPECT_FALSE(all_stand_behind_held(all)) << "of the other way";
  all[1].stalled = {0};
  EXPECT_TRUE(all_stand_behind_held(all));
  all[1].links.clear();
  EXPECT_TRUE(all_stand_behind_held(all)) << "none has come";
  all[0].links.push_back({.peer = 7, .sent = 1});
  EXPECT_FALSE(all_stand_behind_held(all)) << "of a location that is not in the job";
}

}  // namespace
