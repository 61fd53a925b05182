// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The message layer in a build with four classes of traffic: all but that of answers are requests.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "harness/explorer.hpp"
#include "harness/text_of.hpp"
#include "message/probe.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using namespace sheaf_test;
using sheaf::traffic;
using sheaf::wanted;
using sheaf::detail::stream;

static_assert(sheaf::traffic_classes == 4);
constexpr traffic early{2}, late{3};

void put(lone_location& l, traffic kind, std::uint32_t dest, std::uint64_t value) {
  std::memcpy(l.here.out().of(kind).box(dest).append(tag_of<probe_value>(), 8), &value, 8);
}

bytes one_value(std::uint64_t value) { return entry_writer().run(tag_of<probe_value>(), 1, value).data(); }

TEST(classes, of_hops_carry_requests_and_count_as_such) {
  lone_location l;
  put(l, early, 1, 5);
  put(l, late, 1, 6);
  stream own(l.here.out(), {late});
  l.here.out().flush();
  ASSERT_EQ(l.net.sent.size(), 2u);
  EXPECT_EQ(l.net.sent[0].kind, late) << "in the order of delivery";
  EXPECT_EQ(l.net.sent[1].kind, early);
  EXPECT_EQ(l.here.registered().world().sent, 2u);
  l.net.arrive(2, early, one_value(7));
  l.net.arrive(2, late, one_value(8));
  l.work();
  EXPECT_EQ(l.object.values, (std::vector<std::uint64_t>{8, 7}));
  EXPECT_EQ(l.here.registered().world().executed, 2u);
}

TEST(classes, of_hops_carry_no_answers) {
  lone_location l;
  l.net.arrive(1, late, entry_writer().run(tag_of<probe_answer>(0), 1, std::uint64_t{1}).data());
  EXPECT_NE(text_of<sheaf::wire_error>([&] { l.work(); }).find("and a record for it came in class "),
            std::string::npos);
}

TEST(classes, have_overflows_of_their_own) {
  lone_location l;
  l.net.credits = 0;
  l.here.in().run_as_method([&] {
    put(l, early, 1, 5);
    l.here.out().flush();
  });
  EXPECT_EQ(l.here.out().reserve_used(), 256u);
  l.net.credits = 1;
  l.put(1, 6);
  l.here.out().of(traffic::request).flush(sheaf::detail::flush_reason::asked);
  EXPECT_EQ(l.net.sent.at(0).kind, traffic::request) << "what waits in one class holds up no other";
}

/// A location of whose classes `stuck` holds back more than the reserve gets an entry of each class.
std::vector<std::uint64_t> executed_with(traffic stuck) {
  auto settings = fake_settings();
  settings.reserve_bytes = 1;
  lone_location l(settings);
  l.net.credits = 0;
  l.here.in().run_as_method([&] {
    put(l, stuck, 1, 5);
    l.here.out().flush();
  });
  EXPECT_TRUE(l.here.in().stopped());
  for (traffic const kind : {traffic::request, early, late}) l.net.arrive(2, kind, one_value(static_cast<int>(kind)));
  l.work();
  return l.object.values;
}

TEST(classes, stop_where_what_they_may_lead_to_is_held_back) {
  EXPECT_EQ(executed_with(traffic::request), (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(executed_with(early), (std::vector<std::uint64_t>{3, 2})) << "the next hop of a hop is in a later class";
  EXPECT_EQ(executed_with(late), (std::vector<std::uint64_t>{3}));
}

TEST(classes, let_held_entries_of_hops_go_on_while_requests_are_stopped) {
  auto settings = fake_settings();
  settings.reserve_bytes = 1;
  lone_location l(settings, false);
  l.net.arrive(2, late, one_value(3));
  l.net.arrive(2, traffic::request, one_value(0));
  l.work();
  l.net.credits = 0;
  l.here.in().run_as_method([&] {
    put(l, traffic::request, 1, 5);
    l.here.out().flush();
  });
  l.add_probe();
  l.work();
  EXPECT_EQ(l.object.values, (std::vector<std::uint64_t>{3}));
  l.net.credits = 9;
  l.work();
  EXPECT_EQ(l.object.values, (std::vector<std::uint64_t>{3, 0}));
}

// ---- a cycle of hops -----------------------------------------------------------------------------------------------

constexpr std::uint32_t hops = 3;

/// How many records have come here, and in which class they go on.
struct router {
  std::uint32_t come = 0;
  bool class_per_hop = false;
};

/// A record goes on to the next location, twice, until it has made all hops; then it is there.
struct hop {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<router>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = 8;
  static void run(sheaf::detail::location& here, void* object, sheaf::detail::execution& state) {
    auto& at = *static_cast<router*>(object);
    while (state.at != state.run_end) {
      std::uint64_t made = 0;
      std::memcpy(&made, state.at, 8);
      state.at += 8;
      ++at.come;
      if (++made == hops) continue;
      auto const next = at.class_per_hop ? static_cast<traffic>(made + 1) : traffic::request;
      auto& box = here.out().of(next).box((number(here.id()) + 1) % here.size());
      for (int copy = 0; copy < 2; ++copy) {
        std::memcpy(box.append(tag_of<hop>(), 8), &made, 8);
        box.flush();
      }
    }
  }
};

/// Each location sends one record around the ring: one comes here at its first hop, two at their second, four at the
/// third.
struct ring {
  bool class_per_hop;
  sheaf::options settings;

  void run(sheaf::endpoint& connection) {
    sheaf::detail::location here(connection, settings);
    router own{0, class_per_hop};
    auto& world = here.registered().world();
    static_cast<void>(here.registered().add_object(world, &own, sheaf::detail::token_of<router>()));
    auto& box = here.request_box((number(here.id()) + 1) % here.size());
    std::uint64_t const none = 0;
    std::memcpy(box.append(tag_of<hop>(), 8), &none, 8);
    box.flush();
    here.wait(sheaf::detail::wait_kind::collective, [&] { return own.come == 7 && here.out().empty(); });
  }
};

exploration play_ring(bool class_per_hop, std::uint64_t seeds) {
  sheaf::simulation s;
  s.job.locations = 3;
  s.job.ring_slots = s.job.window = 1;
  s.job.buffer_bytes = s.job.first_flush_bytes = 256;
  s.job.reserve_bytes = s.job.buffer_budget = 1;
  s.step_limit = 100'000;
  s.job.transport = sheaf::transport_kind::sim;
  s.job = s.job.resolved();
  return sample(
      s,
      [&] {
        return ring{class_per_hop, s.job};
      },
      1, seeds);
}

TEST(classes, one_for_each_hop_keeps_a_cycle_of_hops_going_with_every_cap_at_one) {
  exploration const of = play_ring(true, 2000);
  EXPECT_FALSE(of.failed) << of.text;
}

TEST(classes, one_for_all_hops_lets_a_cycle_of_hops_stand_still) {
  exploration const of = play_ring(false, 2000);
  EXPECT_TRUE(of.failed);
  EXPECT_NE(of.text.find("deadlock"), std::string::npos) << of.text;
}

}  // namespace
