// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What one location counts, and says of itself.
#include <gtest/gtest.h>

#include "message/probe.hpp"
#include "message/reports.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/message/statistics.hpp"
#include "transport/wait_reports.hpp"

namespace {

using sheaf::flush_reason;
using sheaf::location_id;
using sheaf::traffic;
using sheaf::detail::awaited;
using sheaf::detail::link_report;
using sheaf::detail::location_report;
using sheaf::detail::wait_kind;
using sheaf::detail::wait_site;
using sheaf_test::entry_writer;
using sheaf_test::lone_location;
using sheaf_test::probe_value;
using sheaf_test::tag_of;

location_report report_of(lone_location const& l) {
  location_report report;
  sheaf::detail::reports(l.here).add_to(report);
  return report;
}

link_report link_to(location_report const& report, std::uint32_t peer) {
  for (auto const& link : report.links) {
    if (link.peer == peer) return link;
  }
  return {};
}

void issue(lone_location& l, std::uint32_t dest, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) l.put(dest, i);
}

TEST(reporting, one_that_has_done_nothing_says_so) {
  lone_location l;
  location_report const report = report_of(l);
  EXPECT_EQ(report.location, 0u);
  EXPECT_TRUE(report.waits.empty());
  EXPECT_TRUE(report.links.empty());
  EXPECT_EQ(report.kept, "");
}

TEST(reporting, requests_are_created_before_they_are_sent) {
  lone_location l;
  issue(l, 2, 3);
  EXPECT_EQ(link_to(report_of(l), 2).created, 3u) << "in the open run";
  EXPECT_EQ(link_to(report_of(l), 2).sent, 0u);
  l.here.out().flush();
  EXPECT_EQ(link_to(report_of(l), 2).created, 3u);
  EXPECT_EQ(link_to(report_of(l), 2).sent, 3u);
}

TEST(reporting, what_waits_for_credit_is_not_sent) {
  lone_location l;
  l.net.credits = 0;
  issue(l, 1, 2);
  l.here.out().flush();
  EXPECT_EQ(link_to(report_of(l), 1).created, 2u);
  EXPECT_EQ(link_to(report_of(l), 1).sent, 0u);
  EXPECT_EQ(sheaf::detail::reports(l.here).statistics().most.overflow_buffers, 1u);
  EXPECT_GT(sheaf::detail::reports(l.here).statistics().most.reserve_bytes, 0u);
  l.net.credits = 1;
  l.work();
  EXPECT_EQ(link_to(report_of(l), 1).sent, 2u);
}

TEST(reporting, what_is_held_has_been_received_and_not_executed) {
  lone_location l;
  l.net.arrive(3, traffic::request, entry_writer().run(tag_of<probe_value>(1), 1, std::uint64_t{1}).data());
  l.net.arrive(2, traffic::request,
               entry_writer().run(tag_of<probe_value>(4), 2, std::uint64_t{1}, std::uint64_t{2}).data());
  l.work();
  location_report const report = report_of(l);
  EXPECT_EQ(link_to(report, 3).received, 1u);
  EXPECT_EQ(link_to(report, 3).executed, 1u);
  EXPECT_EQ(link_to(report, 2).received, 2u);
  EXPECT_EQ(link_to(report, 2).executed, 0u);
  EXPECT_NE(report.kept.find("holds 2 requests"), std::string::npos);
  EXPECT_EQ(sheaf::detail::reports(l.here).statistics().most.held_entries, 1u);
  EXPECT_EQ(sheaf::detail::reports(l.here).unsettled_requests(), ~std::uint64_t{0})
      << "it has one that is not consumed";
}

TEST(reporting, each_sort_of_wait_says_what_it_is_for) {
  lone_location l;
  auto const text_of = [&](wait_site const& site) {
    std::string text;
    l.here.wait(wait_kind::collective, site, [&] { return text = report_of(l).waits.at(0).text, true; });
    return text;
  };
  EXPECT_EQ(text_of({}), "a wait");
  EXPECT_EQ(text_of({"wait_for_request", awaited::request, wait_site::several, {}, {"a.cpp", 7}}),
            "wait_for_request, called at a.cpp:7, for a request of any location");
  EXPECT_EQ(text_of({"f", awaited::answer, 2, {}, {"the end", 0}}), "f, called at the end, for location 2's answer");
  EXPECT_EQ(text_of({"f", awaited::answer}), "f for others' answers");
  EXPECT_EQ(text_of({"f", awaited::room, 3}), "f for room at location 3, which has not executed what it was sent");
  EXPECT_EQ(text_of({"f", awaited::members}), "f for the members of team 0");
  EXPECT_EQ(text_of({"f", awaited::fence}), "f for the members of team 0");
  EXPECT_EQ(text_of({"f", awaited::answer, 1, tag_of<probe_value>(5)}),
            "f for location 1's answer to " + sheaf::detail::readable(sheaf::detail::handler_name<probe_value>()) +
                " on object 5 of team 0");
}

TEST(reporting, waits_are_in_order_and_end) {
  lone_location l;
  location_report inside;
  wait_site const outer{.what = "outer"}, inner{.what = "inner"};
  l.here.wait(wait_kind::answer, outer, [&] {
    l.here.wait(wait_kind::answer, inner, [&] { return inside = report_of(l), true; });
    return true;
  });
  ASSERT_EQ(inside.waits.size(), 2u);
  EXPECT_EQ(inside.waits[0].text, "outer");
  EXPECT_EQ(inside.waits[1].text, "inner");
  EXPECT_TRUE(report_of(l).waits.empty());
}

TEST(reporting, a_wait_in_a_method_names_it_and_its_caller) {
  lone_location l;
  location_report inside;
  l.object.on_value = [&](std::uint64_t) {
    l.here.wait(wait_kind::answer, [&] { return inside = report_of(l), true; });
  };
  l.net.arrive(3, traffic::request, entry_writer().run(tag_of<probe_value>(1), 1, std::uint64_t{1}).data());
  l.work();
  ASSERT_EQ(inside.waits.size(), 1u);
  EXPECT_EQ(inside.waits[0].in,
            sheaf::detail::readable(sheaf::detail::handler_name<probe_value>()) + ", called by location 3");
  EXPECT_EQ(link_to(inside, 3).received, 1u);
  EXPECT_EQ(link_to(inside, 3).executed, 0u) << "its run has not ended";
  EXPECT_EQ(sheaf::detail::reports(l.here).statistics().most.nested_waits, 1u);
}

TEST(reporting, each_wait_counts_as_something_done) {
  lone_location l;
  std::uint64_t const before = l.here.in().activity();
  l.here.wait(wait_kind::answer, [] { return true; });
  EXPECT_NE(l.here.in().activity(), before);
}

TEST(reporting, each_part_of_a_large_entry_counts_as_something_done) {
  lone_location l;
  std::uint64_t const before = l.here.in().activity();
  l.net.take_part();
  EXPECT_NE(l.here.in().activity(), before);
}

TEST(reporting, who_is_asked_to_look_does_so_once) {
  lone_location l;
  l.here.watch().look_from(100);
  EXPECT_FALSE(l.here.watch().was_asked());
  l.here.watch().ask();
  EXPECT_TRUE(l.here.watch().is_asked());
  EXPECT_TRUE(l.here.watch().was_asked());
  EXPECT_FALSE(l.here.watch().was_asked());
}

TEST(statistics, a_table_shows_the_first_rows_and_says_how_many_there_are) {
  sheaf::statistics s;
  for (int i = 0; i < 5; ++i) s.handlers.push_back({"m" + std::to_string(i), 2, 7});
  s.flushes[static_cast<std::size_t>(flush_reason::age)] = 3;
  std::string const text = s.text(2);
  EXPECT_NE(text.find("               7            2        3.5  m1\n    and 3 more\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("m2"), std::string::npos);
  EXPECT_NE(text.find("by age 3"), std::string::npos);
}

TEST(statistics, every_reason_has_a_word) {
  for (std::size_t i = 0; i < sheaf::detail::flush_reasons; ++i)
    EXPECT_STRNE(sheaf::name(static_cast<flush_reason>(i)), "unknown") << i;
  EXPECT_STREQ(sheaf::name(static_cast<flush_reason>(sheaf::detail::flush_reasons)), "unknown");
}

}  // namespace
