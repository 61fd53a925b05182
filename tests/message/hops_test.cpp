// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Location 0 of 4 in a grid of two rows: from 1 to 2, and from 2 to 1, the path leads by 0.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/text_of.hpp"
#include "message/hop_records.hpp"
#include "message/probe.hpp"
#include "message/router.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using namespace sheaf_test;
using sheaf::route_kind;
using sheaf::traffic;
using sheaf::detail::hop_form;

sheaf::options in_a_grid() {
  auto settings = fake_settings();
  settings.path = route_kind::grid;
  return settings;
}

constexpr std::uint32_t form_of(std::uint32_t each, route_kind path = route_kind::grid) {
  return each | static_cast<std::uint32_t>(path) << hop_form::path_from;
}

struct record {
  std::uint16_t dest, origin;
  std::uint32_t low = 0, high = 0;

  record(unsigned to, unsigned from, std::uint32_t value)
      : dest(static_cast<std::uint16_t>(to)), origin(static_cast<std::uint16_t>(from)), low(value) {}
};
static_assert(sizeof(record) == 12);

template <class... R>
bytes routed(std::uint32_t form, R const&... records) {
  return entry_writer().run(tag_of<probe_value>(), sizeof...(R), form, records...).data();
}

/// The only run that was sent, behind its header.
bytes sent_run(lone_location const& l) {
  EXPECT_EQ(l.net.sent.size(), 1u);
  auto const runs = runs_of(l.net.sent.at(0).data);
  EXPECT_EQ(runs.size(), 1u);
  return runs.at(0).records;
}

template <class T>
T at(bytes const& of, std::size_t place) {
  T value{};
  std::memcpy(&value, of.data() + place, sizeof value);
  return value;
}

TEST(hops, begin_with_an_address_at_the_first_corner) {
  lone_location l(in_a_grid());
  l.put(3, 7);
  EXPECT_EQ(l.here.registered().world().sent, 1u) << "counted as it is appended";
  l.here.out().flush();
  bytes const run = sent_run(l);
  EXPECT_EQ(l.net.sent[0].dest, 1u);
  EXPECT_EQ(l.net.sent[0].kind, traffic::hop);
  EXPECT_EQ(at<std::uint32_t>(run, 0), form_of(8));
  EXPECT_EQ(at<std::uint16_t>(run, 4), 3u);
  EXPECT_EQ(at<std::uint16_t>(run, 6), 0u);
  EXPECT_EQ(at<std::uint64_t>(run, 8), 7u);
  l.net.sent.clear();
  l.put(2, 8);
  l.here.out().flush();
  EXPECT_EQ(l.net.sent.at(0).kind, traffic::request) << "one hop is straight";
  EXPECT_EQ(l.net.sent[0].dest, 2u);
}

TEST(hops, of_records_that_vary_say_their_size) {
  lone_location l(in_a_grid());
  l.put_text(3, "four");
  l.here.out().flush();
  bytes const run = sent_run(l);
  EXPECT_EQ(at<std::uint32_t>(run, 0), form_of(0));
  EXPECT_EQ(at<std::uint64_t>(run, 8), run.size() - 16);
}

TEST(hops, of_a_record_that_is_taken_back_leave_nothing) {
  lone_location l(in_a_grid());
  auto& box = l.here.request_box(3);
  box.append_varying(tag_of<probe_text>(), 9);
  box.retract(9);
  EXPECT_EQ(l.here.registered().world().sent, 0u);
  l.here.out().flush();
  EXPECT_TRUE(l.net.sent.empty());
}

TEST(hops, pass_on_what_is_for_others_and_count_nothing) {
  lone_location l;
  l.net.arrive(1, traffic::hop, routed(form_of(8), record(2, 1, 7), record(2, 1, 8)));
  l.work();
  EXPECT_FALSE(l.net.held(1, traffic::hop));
  EXPECT_TRUE(l.here.out().routes.all_counted()) << "a cut does not wait for it";
  EXPECT_FALSE(l.here.out().empty());
  l.here.out().flush();
  bytes const run = sent_run(l);
  EXPECT_EQ(l.net.sent[0].dest, 2u);
  EXPECT_EQ(l.net.sent[0].kind, traffic::delivery) << "the last hop";
  EXPECT_EQ(run.size(), 4u + 24u);
  EXPECT_EQ(at<std::uint16_t>(run, 6), 1u) << "the origin";
  EXPECT_EQ(l.here.registered().world().sent, 0u);
  EXPECT_EQ(l.here.registered().world().executed, 0u);
  EXPECT_EQ(l.here.out().routes.passed_on, 2u);
}

/// Location 0 of a hypercube of 4: one record for 1, which goes on from there, and one that is at its last hop.
struct two_stages {
  two_stages() {
    l.net.arrive(1, traffic::hop, routed(form_of(8, route_kind::hypercube), record(2, 1, 7)));
    l.work();
  }
  /// What leaves where nobody asks, behind a pause.
  std::vector<traffic> flush_at_rest() {
    l.net.sent.clear();
    l.put(3, 1);
    l.net.clock += 2000;
    l.here.out().flush(sheaf::detail::flush_reason::idle);
    std::vector<traffic> kinds;
    for (auto const& each : l.net.sent) kinds.push_back(each.kind);
    return kinds;
  }
  static sheaf::options in_a_hypercube() {
    auto settings = fake_settings();
    settings.path = route_kind::hypercube;
    return settings;
  }
  lone_location l{in_a_hypercube()};
};

TEST(hops, of_a_later_stage_leave_at_rest_after_those_before) {
  two_stages of;
  EXPECT_EQ(of.flush_at_rest(), std::vector{traffic::hop});
  of.l.net.sent.clear();
  of.l.here.out().flush(sheaf::detail::flush_reason::idle);
  EXPECT_TRUE(of.l.net.sent.empty()) << "a pause is between stages";
  of.l.net.clock += 2000;
  of.l.here.out().flush(sheaf::detail::flush_reason::idle);
  ASSERT_EQ(of.l.net.sent.size(), 1u);
  EXPECT_EQ(of.l.net.sent[0].kind, traffic::delivery);
}

TEST(hops, of_a_later_stage_leave_though_those_before_are_filled_again) {
  two_stages of;
  bool left = false;
  for (int i = 0; i < 100 && !left; ++i) left = std::ranges::count(of.flush_at_rest(), traffic::delivery) != 0;
  EXPECT_TRUE(left);
}

TEST(hops, flush_what_is_urgent) {
  lone_location l;
  l.net.arrive(1, traffic::hop, routed(form_of(8) | hop_form::urgent, record(2, 1, 7)));
  l.work();
  EXPECT_NE(at<std::uint32_t>(sent_run(l), 0) & hop_form::urgent, 0u);
  lone_location first(in_a_grid());
  first.urgent(3, 9);
  EXPECT_NE(at<std::uint32_t>(sent_run(first), 0) & hop_form::urgent, 0u);
}

TEST(hops, keep_the_colours_of_the_origin) {
  lone_location l;
  sheaf::run_header of;
  of.tag = tag_of<probe_value>();
  of.count = 1;
  of.bytes = 16;
  of.world_colour = 9;
  of.scope = 0x1403;
  l.net.arrive(1, traffic::hop, entry_writer().add(of, form_of(8), record(2, 1, 7)).data());
  of.world_colour = 10;
  l.net.arrive(1, traffic::hop, entry_writer().add(of, form_of(8), record(2, 1, 8)).data());
  l.work();
  l.here.out().flush();
  auto const runs = runs_of(l.net.sent.at(0).data);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].header.world_colour, 9u);
  EXPECT_EQ(runs[0].header.scope, 0x1403u);
  EXPECT_EQ(runs[1].header.world_colour, 10u);
}

TEST(hops, wait_where_the_next_link_has_no_credit) {
  lone_location l;
  l.net.credits = 0;
  for (std::uint32_t i = 0; i < 40; ++i) l.net.arrive(1, traffic::hop, routed(form_of(8), record(2, 1, i)));
  l.work();
  EXPECT_TRUE(l.net.held(1, traffic::hop)) << "a full buffer waits: no more are taken";
  EXPECT_LE(l.here.out().reserve_used(), 256u);
  l.net.arrive(2, traffic::hop, routed(form_of(8), record(1, 2, 99)));
  l.work();
  EXPECT_FALSE(l.net.held(2, traffic::hop)) << "other links go on";
  l.net.credits = 99;
  l.work();
  l.here.out().flush();
  EXPECT_FALSE(l.net.held(1, traffic::hop));
  std::vector<std::uint32_t> values;
  for (auto const& entry : l.net.sent) {
    if (entry.dest != 2) continue;
    for (auto const& run : runs_of(entry.data)) {
      for (std::size_t from = 8; from < run.records.size(); from += 12)
        values.push_back(at<std::uint32_t>(run.records, from));
    }
  }
  ASSERT_EQ(values.size(), 40u);
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(values[i], i) << "in order";
}

TEST(hops, are_taken_by_a_location_that_its_reserve_stops) {
  auto settings = fake_settings();
  settings.reserve_bytes = 1;
  lone_location l(settings);
  l.net.credits = 0;
  l.here.in().run_as_method([&] {
    l.put(1, 5);
    l.here.out().flush();
  });
  ASSERT_TRUE(l.here.in().stopped());
  l.net.arrive(1, traffic::hop, routed(form_of(8), record(2, 1, 7)));
  l.net.arrive(1, traffic::delivery, routed(form_of(8), record(0, 3, 8)));
  l.work();
  EXPECT_EQ(l.here.out().routes.passed_on, 1u);
  EXPECT_TRUE(l.object.values.empty()) << "the last hop executes";
}

TEST(hops, end_at_the_destination_in_the_name_of_the_origin) {
  lone_location l;
  l.object.on_value = [](std::uint64_t value) {
    if (value == 8) throw std::runtime_error("eight");
  };
  l.net.arrive(1, traffic::delivery, routed(form_of(8), record(0, 3, 6), record(0, 3, 7), record(0, 2, 8)));
  l.work();
  EXPECT_EQ(l.object.values, (std::vector<std::uint64_t>{6, 7, 8}));
  EXPECT_EQ(l.here.registered().world().executed, 3u);
  EXPECT_FALSE(l.net.held(1, traffic::delivery));
  EXPECT_NE(l.here.registered().world().errors.texts.at(0).find("called by location 2"), std::string::npos);
}

TEST(hops, end_at_an_object_that_is_registered_later) {
  lone_location l(fake_settings(), false);
  l.net.arrive(1, traffic::delivery, routed(form_of(8), record(0, 3, 6), record(0, 2, 7)));
  l.work();
  EXPECT_FALSE(l.net.held(1, traffic::delivery)) << "its link goes on";
  l.net.arrive(1, traffic::delivery, routed(form_of(8), record(0, 3, 8)));
  l.work();
  l.add_probe();
  l.work();
  EXPECT_EQ(l.object.values, (std::vector<std::uint64_t>{6, 7, 8}));
  EXPECT_EQ(l.here.out().kept_arrivals, 0u);
}

TEST(hops, keep_the_order_of_an_origin_behind_one_that_is_held) {
  lone_location l;
  auto const for_object_2 = [](std::uint32_t value) {
    return entry_writer().run(tag_of<probe_value>(2), 1, form_of(8), record(0, 3, value)).data();
  };
  l.net.arrive(1, traffic::delivery, for_object_2(6));
  l.net.arrive(1, traffic::delivery, routed(form_of(8), record(0, 3, 7), record(0, 2, 1), record(0, 3, 8)));
  l.net.arrive(1, traffic::delivery, for_object_2(9));
  l.work();
  EXPECT_EQ(l.object.values, (std::vector<std::uint64_t>{1})) << "of another origin";
  l.add_probe();
  l.work();
  EXPECT_EQ(l.object.values, (std::vector<std::uint64_t>{1, 6, 7, 8, 9}));
}

TEST(hops, go_on_in_order_beneath_a_method_that_waits) {
  lone_location l;
  l.object.on_value = [&](std::uint64_t value) {
    if (value == 6) l.here.wait(sheaf::detail::wait_kind::answer, [&] { return l.object.values.size() == 4; });
  };
  l.net.arrive(1, traffic::delivery,
               routed(form_of(8), record(0, 3, 6), record(0, 3, 7), record(0, 2, 8), record(0, 1, 9)));
  l.work();
  EXPECT_EQ(l.object.values, (std::vector<std::uint64_t>{6, 7, 8, 9}));
  EXPECT_EQ(l.here.registered().world().executed, 4u);
}

void expect_refused(traffic kind, bytes const& entry, char const* why) {
  lone_location l;
  l.net.arrive(1, kind, entry);
  std::string const text = text_of<sheaf::wire_error>([&] { l.work(); });
  EXPECT_NE(text.find(why), std::string::npos) << text;
}

TEST(hops, that_are_damaged_are_refused) {
  for (traffic const kind : {traffic::hop, traffic::late_hop, traffic::delivery}) {
    unsigned const good = kind == traffic::delivery ? 0 : 2;
    expect_refused(kind, routed(form_of(8), record(good, 4, 1)), "an address is of no location");
    expect_refused(kind, routed(form_of(8), record(9, 1, 1)), "an address is of no location");
    expect_refused(kind, routed(form_of(9), record(good, 1, 1)), "a record is cut off");
    expect_refused(kind, routed(form_of(0), record(good, 1, 1)), "a record is cut off");
    expect_refused(kind, routed(form_of(8, route_kind::direct), record(good, 1, 1)), "there is no such path");
    expect_refused(kind, routed(form_of(8) | 7U << hop_form::path_from, record(good, 1, 1)), "there is no such path");
    bytes cut = routed(form_of(8), record(good, 1, 1));
    cut.resize(21);
    expect_refused(kind, cut, "a run header is damaged");
    cut.resize(12);
    expect_refused(kind, cut, "a run header is damaged");
  }
  expect_refused(traffic::hop, routed(form_of(8), record(0, 1, 1)), "a record is at its destination");
  expect_refused(traffic::delivery, routed(form_of(8), record(2, 1, 1)), "a record is not at its destination");
  std::array<std::uint8_t, 11> const seven{0, 0, 1};
  bytes const entry = entry_writer().run(tag_of<probe_value>(), 1, form_of(7), seven).data();
  expect_refused(traffic::delivery, entry, "does not fit its handler");
}

TEST(hops, are_explained) {
  lone_location few;
  EXPECT_EQ(few.here.out().explain(), "");
  lone_location l(in_a_grid());
  EXPECT_EQ(l.here.out().explain(),
            "requests take the path grid: 2 neighbours, at most 2 hops; options::path says so\n");
  auto settings = fake_settings();
  settings.buffer_budget = std::size_t{32} << 20;
  lone_location many(settings, true, 1024);
  EXPECT_EQ(
      many.here.out().explain(),
      "requests take the path grid: 62 neighbours, at most 2 hops; this location's share of the buffer budget has "
      "32 bytes for each of 1023 destinations, and 256 are worth sending\n");
}

}  // namespace
