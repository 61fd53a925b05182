// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What a location says of requests that it holds since their object or team is not registered.
#include <gtest/gtest.h>

#include "message/probe.hpp"
#include "sheaf/message/location.hpp"
#include "transport/wait_reports.hpp"

namespace {

using sheaf::run_header;
using sheaf::run_tag;
using sheaf::traffic;
using sheaf_test::entry_writer;
using sheaf_test::lone_location;
using sheaf_test::probe_value;
using sheaf_test::tag_of;

/// A request for the object arrives from location 3, sent when that had taken so many cuts of the world and the team.
void arrive(lone_location& l, run_tag object, std::uint8_t world_colour, std::uint8_t team_colour) {
  run_header header;
  header.tag = object;
  header.count = 1;
  header.bytes = 8;
  header.world_colour = world_colour;
  header.team_colour = team_colour;
  l.net.arrive(3, traffic::request, entry_writer().add(header, std::uint64_t{1}).data());
}

/// What is printed while the location works in a wait.
std::string said(lone_location& l) {
  testing::internal::CaptureStderr();
  l.here.wait(sheaf::detail::wait_kind::collective, [&] { return l.work(), true; });
  return testing::internal::GetCapturedStderr();
}

std::string said_after_a_cut(lone_location& l, sheaf::detail::team_state& of) {
  ++of.colour;
  testing::internal::CaptureStderr();
  l.here.wait(sheaf::detail::wait_kind::collective, [&] { return l.here.in().look_at_held(), true; });
  return testing::internal::GetCapturedStderr();
}

TEST(held, names_method_source_object_and_how_many_there_are) {
  lone_location l;
  EXPECT_EQ(l.here.in().held_requests(), "");
  l.net.arrive(2, traffic::request,
               entry_writer().run(tag_of<probe_value>(4), 2, std::uint64_t{1}, std::uint64_t{2}).data());
  l.net.arrive(3, traffic::request, entry_writer().run(tag_of<probe_value>(1, 9), 1, std::uint64_t{1}).data());
  l.work();
  std::string const name = sheaf::detail::readable(sheaf::detail::handler_name<probe_value>());
  EXPECT_EQ(l.here.in().held_requests(),
            "\n  location 0 holds 2 requests (" + name +
                ") of location 2 for object 4 of team 0, which was never registered here (1 "
                "object of it was)"
                "\n  location 0 holds 1 request (" +
                name + ") of location 3 for team 9, which does not exist here");
  sheaf::detail::location_report report;
  ASSERT_TRUE(l.net.explain.tell) << "the transport can ask";
  l.net.explain.tell(l.net.explain.owner, report);
  EXPECT_EQ(report.kept, l.here.in().held_requests());
}

TEST(held, shows_the_first_few) {
  lone_location l;
  for (std::uint32_t source = 0; source < 4; ++source) {
    l.net.arrive(source, traffic::request, entry_writer().run(tag_of<probe_value>(7), 1, std::uint64_t{1}).data());
  }
  l.work();
  EXPECT_EQ(l.here.in().held_requests().find("and more"), std::string::npos);
  lone_location other(sheaf_test::fake_settings(), false, 6);
  for (std::uint32_t source = 0; source < 6; ++source) {
    other.net.arrive(source, traffic::request, entry_writer().run(tag_of<probe_value>(7), 1, std::uint64_t{1}).data());
  }
  other.work();
  EXPECT_NE(other.here.in().held_requests().find("\n  and more"), std::string::npos);
}

TEST(held, nothing_is_said_outside_of_a_fence_or_of_what_comes_from_behind_one) {
  lone_location l;
  l.here.registered().world().colour = 5;
  arrive(l, tag_of<probe_value>(2), 5, 5);
  EXPECT_EQ(said(l), "");
  lone_location wrapped;
  wrapped.here.registered().world().colour = 255;
  arrive(wrapped, tag_of<probe_value>(2), 0, 0);  // its sender is one cut ahead
  EXPECT_EQ(said(wrapped), "");
}

TEST(held, a_fence_that_waits_for_it_says_so_at_its_cut) {
  lone_location l;
  arrive(l, tag_of<probe_value>(2), 0, 0);
  EXPECT_EQ(said(l), "");
  std::string const text = said_after_a_cut(l, l.here.registered().world());
  EXPECT_NE(text.find("a fence on location 0 waits for requests to objects that are not registered"), text.npos)
      << text;
  EXPECT_NE(text.find(l.here.in().held_requests()), text.npos) << text;
  EXPECT_EQ(said_after_a_cut(l, l.here.registered().world()), "") << "once";
  l.add_probe();
  l.work();
  EXPECT_EQ(l.object.values.size(), 1u);
  arrive(l, tag_of<probe_value>(3), 2, 2);
  EXPECT_EQ(said(l), "");
  EXPECT_NE(said_after_a_cut(l, l.here.registered().world()), "") << "again, of others";
}

TEST(held, a_fence_that_waits_for_it_says_so_when_it_comes_late) {
  lone_location l;  // after 256 cuts
  arrive(l, tag_of<probe_value>(2), 255, 255);
  EXPECT_NE(said(l).find("object 2 of team 0"), std::string::npos);
}

TEST(held, a_teams_fence_says_so_too) {
  lone_location l;
  auto& team = l.here.registered().add_team({6, 0}, std::vector{sheaf::location_id{0}, sheaf::location_id{3}});
  arrive(l, tag_of<probe_value>(1, 6), 0, 0);
  EXPECT_EQ(said(l), "");
  EXPECT_NE(said_after_a_cut(l, team).find("object 1 of team 6"), std::string::npos);
}

}  // namespace
