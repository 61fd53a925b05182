// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "harness/text_of.hpp"
#include "message/probe.hpp"

namespace {

using sheaf::location_id;
using sheaf::run_tag;
using sheaf::traffic;
using sheaf_test::lone_location;
using sheaf_test::probe;

template <class F>
std::string text_of_usage_error(F f) {
  return sheaf_test::text_of<sheaf::usage_error>(f);
}

TEST(location, begins_with_a_world_of_all) {
  lone_location l(sheaf_test::fake_settings(), false);
  auto const& world = l.here.registered().world();
  EXPECT_EQ(world.id, 0u);
  EXPECT_EQ(world.rank, 0u);
  EXPECT_EQ(world.members.in_order(),
            (std::vector<location_id>{location_id{0}, location_id{1}, location_id{2}, location_id{3}}));
  EXPECT_EQ(l.here.registered().find_team(0), &world);
  EXPECT_EQ(l.here.registered().find_team(1), nullptr);
  EXPECT_EQ(l.here.registered().teams_end(), 1u);
  EXPECT_TRUE(l.here.out().empty());
  EXPECT_TRUE(l.here.in().quiet(world));
  EXPECT_FALSE(l.here.in().in_handler());
}

TEST(location, finds_its_rank_in_a_new_team) {
  lone_location l;
  auto& team = l.here.registered().add_team({5, 0}, std::vector{location_id{3}, location_id{0}, location_id{2}});
  EXPECT_EQ(team.rank, 1u);
  EXPECT_EQ(team.size(), 3u);
  EXPECT_EQ(l.here.registered().find_team(5), &team);
  EXPECT_EQ(l.here.registered().find_team(4), nullptr);
  EXPECT_EQ(l.here.registered().teams_end(), 6u);
}

TEST(location, says_when_teams_run_out) {
  lone_location l;
  std::string const text = text_of_usage_error([&] {
    l.here.registered().add_team({run_tag::teams, 0}, std::vector{location_id{0}});
  });
  EXPECT_NE(text.find("team number 1044480"), std::string::npos) << text;
  EXPECT_NE(text.find("1044479"), std::string::npos) << text;
  EXPECT_NE(text.find("each of the 4 locations has 261120 numbers"), std::string::npos) << text;
}

TEST(location, gives_numbers_to_teams_that_no_other_location_gives) {
  lone_location l;
  EXPECT_EQ(l.here.registered().unused_team_number().id, 1u);
  l.here.registered().add_team({2, 0}, std::vector{location_id{0}, location_id{1}});  // location 1's
  EXPECT_EQ(l.here.registered().unused_team_number().id, 1u);
  l.here.registered().add_team({1, 0}, std::vector{location_id{0}});
  EXPECT_EQ(l.here.registered().unused_team_number().id, 5u);
  l.here.registered().add_team({5, 0}, std::vector{location_id{0}});
  EXPECT_EQ(l.here.registered().unused_team_number().id, 9u);
}

TEST(location, numbers_objects_of_each_team_from_1_and_never_again) {
  lone_location l(sheaf_test::fake_settings(), false);
  auto& team = l.here.registered().add_team({1, 0}, std::vector{location_id{0}});
  EXPECT_EQ(l.add_probe(), 1u);
  EXPECT_EQ(l.add_probe(), 2u);
  EXPECT_EQ(l.here.registered().add_object(team, &l.object, sheaf::detail::token_of<probe>()), 1u);
  l.here.registered().remove_object(l.here.registered().world(), 2);
  EXPECT_EQ(l.add_probe(), 3u);
}

TEST(location, says_when_object_numbers_run_out) {
  lone_location l;
  l.here.registered().world().next_object = 1u << run_tag::object_bits;
  EXPECT_NE(text_of_usage_error([&] { l.add_probe(); }).find("16777215"), std::string::npos);
}

TEST(location, gives_back_its_open_buffers_when_it_ends) {
  sheaf_test::fake_endpoint net;
  {
    sheaf::options const how = sheaf_test::fake_settings();
    sheaf::detail::location here(net, how);
    for (std::uint32_t dest = 0; dest < 4; ++dest) {
      here.request_box(dest).append(sheaf_test::tag_of<sheaf_test::probe_value>(), 8);
      here.answer_box(dest).append(sheaf_test::tag_of<sheaf_test::probe_answer>(0), 8);
    }
    EXPECT_EQ(net.blocks_in_use(), 8u);
  }
  EXPECT_EQ(net.blocks_in_use(), 0u);
}

TEST(location, gives_back_what_waits_for_credit_when_it_ends) {
  sheaf_test::fake_endpoint net;
  net.credits = 0;
  {
    sheaf::options const how = sheaf_test::fake_settings();
    sheaf::detail::location here(net, how);
    here.answer_box(1).append(sheaf_test::tag_of<sheaf_test::probe_answer>(0), 8);
    here.answer_box(1).flush();
    EXPECT_FALSE(here.out().empty());
    EXPECT_FALSE(!here.out().of(sheaf::traffic::answer).overflows());
  }
  EXPECT_EQ(net.blocks_in_use(), 0u);
}

TEST(location, raises_its_cap_by_one_step_and_counts_it) {
  auto o = sheaf_test::fake_settings();
  o.reserve_bytes = 1000;
  lone_location l(o);
  EXPECT_EQ(l.here.out().held.cap, 1000u);
  l.here.out().held.raise();
  l.here.out().held.raise();
  EXPECT_EQ(l.here.out().held.cap, 3000u);
  EXPECT_EQ(l.here.out().held.raises, 2u);
}

TEST(location, refuses_sizes_of_aggregation_that_cannot_be) {
  lone_location l;
  for (auto const& [first, most] : {std::pair(0, 100), std::pair(200, 100), std::pair(1, 257)}) {
    auto const f = static_cast<std::size_t>(first), m = static_cast<std::size_t>(most);
    std::string const text = text_of_usage_error([&] { l.here.set_aggregation(f, m); });
    EXPECT_NE(text.find("256"), std::string::npos) << text;
    EXPECT_NE(text.find(std::to_string(m)), std::string::npos) << text;
  }
  EXPECT_NO_THROW(l.here.set_aggregation(1, 256));
}

TEST(location, a_first_empty_poll_looks_on_and_takes_what_comes_meanwhile) {
  lone_location l;
  int looks = 0, comes_at = 0;
  l.net.on_look = [&] {
    if (++looks == comes_at) l.arrive(1, 7);
    return comes_at != 0 && looks >= comes_at;
  };
  auto const poll = [&](int arrives_at) {
    looks = 0;
    comes_at = arrives_at;
    return l.here.poll();
  };
  l.arrive(1, 6);
  EXPECT_TRUE(poll(0));
  EXPECT_TRUE(poll(5)) << "the first empty one takes what comes while it looks";
  EXPECT_EQ(l.object.values, (std::vector<std::uint64_t>{6, 7}));
  EXPECT_FALSE(poll(0)) << "the first empty one again, since that one found something";
  int const most = looks;
  EXPECT_GT(most, 5);
  EXPECT_LT(most, 16) << "who computes between polls does not wait for long";
  EXPECT_FALSE(poll(0));
  EXPECT_LE(looks, 2) << "the next ones do not look on";
}

TEST(location, a_loop_of_polls_yields_where_64_in_a_row_find_nothing) {
  lone_location l;
  auto const polls = [&](int count) {
    for (int i = 0; i < count; ++i) EXPECT_FALSE(l.here.poll());
    return l.net.checks;  // with each yield
  };
  EXPECT_EQ(polls(63), 0u);
  l.arrive(1, 6);
  EXPECT_TRUE(l.here.poll());
  EXPECT_EQ(polls(63), 0u) << "they are counted from the last one that found something";
  EXPECT_EQ(polls(1), 1u);
  EXPECT_EQ(polls(63), 1u);
  EXPECT_EQ(polls(1), 2u);
}

TEST(location, other_threads_say_that_something_will_come_from_outside) {
  lone_location l;
  EXPECT_FALSE(l.here.watch().expected() > 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&l] {
      for (int k = 0; k < 1000; ++k) {
        l.here.expect_from_outside(+2);
        l.here.expect_from_outside(-1);
      }
    });
  }
  for (auto& each : threads) each.join();
  EXPECT_TRUE(l.here.watch().expected() > 0);
  l.here.expect_from_outside(-3999);
  EXPECT_TRUE(l.here.watch().expected() > 0);
  l.here.expect_from_outside(-1);
  EXPECT_FALSE(l.here.watch().expected() > 0);
}

TEST(location, keeps_the_first_texts_of_exceptions_and_counts_all) {
  lone_location l;
  for (int i = 0; i < 6; ++i) {
    try {
      throw std::runtime_error("number " + std::to_string(i));
    } catch (...) {
      l.here.in().keep_exception(l.here.registered().world(), "its_name", location_id{2});
    }
  }
  try {
    throw 5;
  } catch (...) {
    l.here.in().keep_exception(l.here.registered().world(), "its_name", location_id{2});
  }
  auto const& kept = l.here.registered().world().errors;
  EXPECT_EQ(kept.count, 7u);
  ASSERT_EQ(kept.texts.size(), sheaf::detail::kept_errors::most_texts);
  EXPECT_EQ(kept.texts[0], "location 0, its_name called by location 2: number 0");
  EXPECT_NE(kept.texts[3].find("number 3"), std::string::npos);
}

/// A condition may send, wait for credit in that, and so execute what it has looked for before.
TEST(location, calls_a_condition_again_that_has_executed_something) {
  lone_location l;
  l.arrive(1, 5);
  l.here.wait(sheaf::detail::wait_kind::collective, [&] {
    bool const seen = !l.object.values.empty();
    if (!seen) static_cast<void>(l.here.step());
    return seen;
  });
  EXPECT_EQ(l.net.idled, 0u);
}

}  // namespace
