// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What the message layer does for scopes: what headers say, who inherits, what is counted.
#include <gtest/gtest.h>

#include "message/probe.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using sheaf::run_scope;
using sheaf::traffic;
using sheaf::detail::scope_counts;
using sheaf::detail::sending_in;
using sheaf_test::entry_writer;
using sheaf_test::lone_location;
using sheaf_test::probe_value;
using sheaf_test::runs_of;
using sheaf_test::tag_of;

constexpr run_scope first(0, 1, 0), second(0, 2, 0), counted(0, 3, 1), of_team_7(7, 1, 0);

scope_counts& counts_of(lone_location& l, run_scope s) { return l.here.registered().world().counts_of(s.number()); }

/// A run of one record arrives, as it was sent in the scope.
void arrive(lone_location& l, run_scope in, std::uint8_t colour = 0) {
  sheaf::run_header header;
  header.tag = tag_of<probe_value>();
  header.count = 1;
  header.bytes = 8;
  header.set_scope(in, colour);
  l.net.arrive(2, traffic::request, entry_writer().add(header, std::uint64_t{5}).data());
  l.work();
}

TEST(run_scope, keeps_its_parts_apart_and_counts_generations_up_to_the_deepest) {
  run_scope const largest(~0U, run_scope::most, run_scope::any_depth);
  EXPECT_EQ(largest.team(), ~0U);
  EXPECT_EQ(largest.number(), run_scope::most);
  EXPECT_EQ(largest.generation(), run_scope::any_depth);
  EXPECT_EQ(largest.of_handler(), largest);
  EXPECT_EQ(run_scope(3, 4, 1).of_handler(), run_scope(3, 4, 2));
  EXPECT_EQ(run_scope(3, 4, run_scope::deepest).of_handler(), run_scope(3, 4, run_scope::too_deep));
  EXPECT_EQ(run_scope(3, 4, run_scope::too_deep).of_handler(), run_scope(3, 4, run_scope::too_deep));
  EXPECT_EQ(run_scope(3, 4, 0).of_handler(), run_scope(3, 4, 0)) << "not counted";
  EXPECT_EQ(run_scope(3, 0, 7), run_scope()) << "no scope";
  EXPECT_EQ(run_scope().of_handler(), run_scope());
}

TEST(scope, changes_end_open_runs_and_headers_tell_which_it_is) {
  lone_location l;
  counts_of(l, second).colour = 7;
  l.put(1, 10);
  {
    sending_in const in(l.here.out(), first);
    l.put(1, 11);
    {
      sending_in const deeper(l.here.out(), second);
      l.put(1, 12);
      l.put(1, 13);
    }
    l.put(1, 14);
    sending_in const elsewhere(l.here.out(), of_team_7);
    l.put(1, 15);
  }
  l.put(1, 16);
  EXPECT_EQ(counts_of(l, first).sent, 2u) << "of runs that have ended";
  l.here.out().flush();
  ASSERT_EQ(l.net.sent.size(), 1u);
  auto const runs = runs_of(l.net.sent[0].data);
  std::uint32_t const scopes[] = {0, 1, 2, 1, 0, 0}, sizes[] = {1, 1, 2, 1, 1, 1};
  ASSERT_EQ(runs.size(), std::size(scopes));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].header.in_scope().number(), scopes[i]) << i;
    EXPECT_EQ(runs[i].header.count, sizes[i]) << i;
    EXPECT_EQ(runs[i].header.scope_colour(), scopes[i] == 2 ? 3 : 0) << i;
  }
  EXPECT_EQ(counts_of(l, first).sent, 2u);
  EXPECT_EQ(counts_of(l, second).sent, 2u);
  EXPECT_EQ(l.here.registered().world().sent, 7u) << "the world counts them all";
}

TEST(scope, of_what_is_sent_at_once_is_in_a_long_header) {
  lone_location l;
  l.urgent(1, 1);
  {
    sending_in const in(l.here.out(), first);
    l.urgent(1, 2);
  }
  ASSERT_EQ(l.net.sent.size(), 2u);
  EXPECT_EQ(l.net.sent[0].data.size(), sheaf::run_header::lone_bytes + 8);
  EXPECT_EQ(l.net.sent[1].data.size(), sheaf::run_header::wire_bytes + 8);
  EXPECT_TRUE(l.net.sent[1].inlined);
  EXPECT_EQ(runs_of(l.net.sent[1].data).at(0).header.in_scope(), first);
  EXPECT_EQ(counts_of(l, first).sent, 1u);
}

TEST(scope, is_that_of_the_run_for_its_handler_and_as_before_for_the_program) {
  lone_location l;
  l.object.on_value = [&](std::uint64_t v) { l.put(1, v); };
  sending_in const in(l.here.out(), second);
  arrive(l, counted);
  arrive(l, {});
  l.put(1, 7);
  l.here.out().flush();
  ASSERT_EQ(l.net.sent.size(), 1u);
  auto const runs = runs_of(l.net.sent[0].data);
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].header.in_scope(), run_scope(0, 3, 2)) << "a generation later";
  EXPECT_EQ(runs[1].header.in_scope(), run_scope());
  EXPECT_EQ(runs[2].header.in_scope(), second);
  EXPECT_EQ(counts_of(l, counted).executed, 1u);
  EXPECT_EQ(counts_of(l, counted).sent, 1u);
  EXPECT_EQ(counts_of(l, second).executed, 0u);
}

TEST(scope, that_a_location_is_in_is_not_entered_again_by_each_entry) {
  lone_location l;
  l.object.on_value = [&](std::uint64_t v) { l.put(1, v); };
  {
    sending_in const in(l.here.out(), first);  // as in its fence
    for (int i = 0; i < 3; ++i) arrive(l, first);
  }
  arrive(l, first);
  arrive(l, first);
  l.here.out().flush();
  ASSERT_EQ(l.net.sent.size(), 1u);
  auto const runs = runs_of(l.net.sent[0].data);
  ASSERT_EQ(runs.size(), 3u) << "one of three records, and one for each entry that enters it";
  EXPECT_EQ(runs[0].header.count, 3u);
}

TEST(scope, of_a_handler_that_waits_is_there_again_after_the_wait) {
  lone_location l;
  bool come = false;
  l.object.on_value = [&](std::uint64_t v) {
    if (std::exchange(come, true)) return;
    l.here.wait(sheaf::detail::wait_kind::answer, [&] {
      arrive(l, second);
      return true;
    });
    l.put(1, v);
  };
  arrive(l, first);
  l.here.out().flush();
  ASSERT_EQ(l.net.sent.size(), 1u);
  EXPECT_EQ(runs_of(l.net.sent[0].data).at(0).header.in_scope(), first);
  EXPECT_EQ(l.here.out().scope(), run_scope());
}

TEST(scope, is_late_only_by_its_own_next_colour) {
  lone_location l;
  scope_counts& its = counts_of(l, first);
  its.colour = 255;
  for (std::uint8_t const colour : {2, 3, 1}) arrive(l, first, colour);
  EXPECT_FALSE(its.late);
  arrive(l, first, 0);
  EXPECT_TRUE(its.late);
  EXPECT_FALSE(counts_of(l, second).late);
  EXPECT_FALSE(l.here.registered().world().late);
}

TEST(scope, of_a_continuation_is_the_one_that_it_was_deferred_with) {
  lone_location l;
  l.here.in().defer([](void* p) { static_cast<lone_location*>(p)->put(1, 1); }, &l, nullptr, second);
  l.work();
  l.put(1, 2);
  l.here.out().flush();
  auto const runs = runs_of(l.net.sent.at(0).data);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].header.in_scope(), second);
  EXPECT_EQ(runs[1].header.in_scope(), run_scope());
}

TEST(scope, numbers_go_round_and_end) {
  lone_location l;
  auto& team = l.here.registered().world();
  constexpr std::uint32_t all = sheaf::detail::team_state::most_open_scopes;
  team.close_scope(team.open_scope());
  for (std::uint32_t i = 2; i <= all; ++i) ASSERT_EQ(team.open_scope(), i);
  ASSERT_EQ(team.open_scope(), 1u);
  try {
    static_cast<void>(team.open_scope());
    FAIL() << "opened one too many";
  } catch (sheaf::usage_error const& e) {
    EXPECT_STREQ(e.what(), "sheaf: team 0 has 64 open epochs, and no team has more; end some before you begin others");
  }
  team.close_scope(5);
  team.close_scope(3);
  EXPECT_FALSE(team.is_open(3));
  EXPECT_EQ(team.open_scope(), 3u);
  EXPECT_TRUE(team.is_open(3));
  EXPECT_EQ(team.open_scope(), 5u);
}

}  // namespace
