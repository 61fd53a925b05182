// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/team.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "runtime/grains.hpp"
#include "runtime/job.hpp"
#include "sheaf/runtime/print.hpp"

namespace {

using sheaf::team;
using sheaf_test::field;
using sheaf_test::run_job;
using sheaf_test::setting;
using sheaf_test::usage_text;

class teams : public sheaf_test::on_all {};

INSTANTIATE_TEST_SUITE_P(all, teams, testing::ValuesIn(sheaf_test::all_settings()), sheaf_test::test_name);

/// That it has these members, in this order, and works.
void expect_team(team const& t, std::vector<std::uint32_t> const& locations) {
  ASSERT_EQ(t.size(), locations.size());
  for (std::uint32_t r = 0; r < t.size(); ++r) EXPECT_EQ(number(t.location_of(r)), locations[r]);
  EXPECT_EQ(all_gather(t, number(here_of(t).id())), locations);
}

TEST_P(teams, by_rule_every_odd_location) {
  run([&](team const& world) {
    std::optional<team> const odd = world.subteam_if([](std::uint32_t rank) { return rank % 2 == 1; });
    EXPECT_EQ(odd.has_value(), world.rank() % 2 == 1);
    std::vector<std::uint32_t> members;
    for (std::uint32_t r = 1; r < world.size(); r += 2) members.push_back(r);
    if (odd) expect_team(*odd, members);
  });
}

TEST_P(teams, by_list_in_its_order) {
  run([&](team const& world) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t r = world.size(); r-- > 0;) {
      if (r % 3 != 1) list.push_back(r);
    }
    std::optional<team> const chosen = world.subteam(list);
    EXPECT_EQ(chosen.has_value(), world.rank() % 3 != 1);
    if (!chosen) return;
    expect_team(*chosen, list);
    // Ranks of a team made from a list are ranks of that team.
    std::optional<team> const first = chosen->subteam({0});
    EXPECT_EQ(first.has_value(), chosen->rank() == 0);
    if (first) expect_team(*first, {world.size() - 1 - (world.size() % 3 == 2 ? 1u : 0u)});
  });
}

/// Only the members call; who is not one does something else.
TEST_P(teams, only_the_members_need_call) {
  run([&](team const& world) {
    if (world.size() < 2) return;
    if (world.rank() < 2) {
      auto const pair = world.subteam({1, 0});
      ASSERT_TRUE(pair);
      expect_team(*pair, {1, 0});
    }
    barrier(world);
  });
}

TEST_P(teams, an_empty_list_makes_no_team) {
  run([&](team const& world) {
    EXPECT_FALSE(world.subteam({}));
    EXPECT_FALSE(world.subteam_if([](std::uint32_t) { return false; }));
  });
}

/// Random overlapping lists, equal ones among them, made by each member in the order of one common list of lists; no
/// two teams of the job have the same number.
TEST_P(teams, random_overlapping_lists_have_numbers_of_their_own) {
  run([&](team const& world) {
    std::mt19937_64 random(world.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> numbers;  // and which team it is
    std::uint32_t made = 0;
    for (int i = 0; i < 30; ++i) {
      std::vector<std::uint32_t> list(world.size());
      for (std::uint32_t r = 0; r < world.size(); ++r) list[r] = r;
      std::shuffle(list.begin(), list.end(), random);
      list.resize(1 + random() % std::min(world.size(), 3u));
      for (int twice = 0; twice < 2; ++twice) {
        ++made;
        auto const t = world.subteam(list);
        if (!t) continue;
        numbers.emplace_back(t->id(), made);
        if (i % 5 == 0) expect_team(*t, list);
      }
      if (i % 7 == 0) {
        ++made;
        numbers.emplace_back(world.split(0).id(), made);
      }
    }
    auto const everybodys = all_gather(world, numbers);
    std::set<std::pair<std::uint32_t, std::uint32_t>> all;
    std::set<std::uint32_t> different;
    for (auto const& some : everybodys) all.insert(some.begin(), some.end());
    for (auto const& [its_number, which] : all) different.insert(its_number);
    EXPECT_EQ(all.size(), made) << "members of one team know different numbers";
    EXPECT_EQ(different.size(), made) << "two teams have one number";
  });
}

/// Every pair of neighbours on a ring is a team; all work and fence at once, each in an order that ends.
TEST_P(teams, overlapping_teams_work_and_fence_at_once) {
  run([&](team const& world) {
    std::uint32_t const n = world.size(), me = world.rank();
    if (n < 2) return;
    // Team r is r and its successor. Each makes and fences the lower of its two first, so no circle of waits closes.
    std::uint32_t const own = me, before = (me + n - 1) % n;
    auto const make = [&](std::uint32_t r) { return *world.subteam({r, (r + 1) % n}); };
    team const low = make(std::min(own, before)), high = make(std::max(own, before));
    field in_low(low), in_high(high);
    for (std::uint32_t round = 1; round <= 10; ++round) {
      in_high.send(round % 2, {2, 2, 0, round * 31 + me});
      in_low.send(round % 2, {2, 2, 0, round * 17 + me});
      fence(low);
      EXPECT_EQ(all_reduce(low, in_low.issued - in_low.finished, std::plus<>()), 0u);
      fence(high);
      EXPECT_EQ(all_reduce(high, in_high.issued - in_high.finished, std::plus<>()), 0u);
    }
    fence(world);
  });
}

/// The members send each other requests, of which there are `expected` then; the team ends. Returns its number.
std::uint32_t use_and_end(team const& made, std::uint32_t to, sheaf_test::grain const& what, std::uint64_t expected) {
  {
    field in(made);
    in.send(to, what);
    for (std::uint64_t i = 0; i < what.seed % 4; ++i) barrier(made);
    fence(made);
    EXPECT_EQ(all_reduce(made, in.finished, std::plus<>()), expected);
  }
  made.end();
  EXPECT_EQ(usage_text([&] { barrier(made); }), "sheaf: team " + std::to_string(made.id()) +
                                                    " was used after its end; make another one by split() or "
                                                    "subteam()");
  return made.id();
}

/// With both neighbours on a ring; each makes the lower pair first, so that no circle of waits closes.
std::uint32_t use_and_end_pairs(team const& world, std::uint32_t round) {
  std::uint32_t const n = world.size(), before = (world.rank() + n - 1) % n;
  std::uint32_t most = 0;
  for (std::uint32_t const r : {std::min(world.rank(), before), std::max(world.rank(), before)}) {
    if (n == 1 || (n == 2 && r == 1)) continue;
    most = std::max(most, use_and_end(*world.subteam({r, (r + 1) % n}), round % 2, {2, 2, 0, round}, 14));
  }
  return most;
}

/// Teams of neighbours, of four and of every third are made, used and ended all the time; whoever is fast makes the
/// next one of a number while others are still in the end of the last.
void make_and_end(team const& world, std::uint32_t rounds) {
  std::uint32_t const n = world.size(), me = world.rank();
  std::uint32_t most = 0;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    most = std::max(most, use_and_end_pairs(world, round));
    for (int again = 0; again < 3 && n > 3 && me < 4; ++again)  // in a team of four, who has left may be early
      most = std::max(most, use_and_end(*world.subteam({0, 1, 2, 3}), (me + 1) % 4, {1, 1, 0, round}, 8));
    team const third = world.split((me + round) % 3);
    most = std::max(most, use_and_end(third, third.size() - 1, {1, 2, 0, round}, 3 * third.size()));
  }
  EXPECT_LE(most, 3 * n) << "numbers are used again";
  EXPECT_LE(here_of(world).registered().teams().size(), 1u);
}

TEST_P(teams, that_end_give_back_their_numbers) {
  run([](team const& world) { make_and_end(world, 30); });
}

TEST(teams_ends, hold_under_many_schedules) {
  for (std::uint32_t n : {2u, 3u, 4u}) {
    sheaf::options settings = setting{sheaf::transport_kind::sim, n, sheaf::fence_form_kind::dissemination}.options();
    for (settings.seed = 1; settings.seed <= 200; ++settings.seed) {
      run_job(settings, [](team const& world) { make_and_end(world, 3); });
      ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << settings.seed << " of " << n;
    }
  }
}

TEST(teams_ends, begin_where_the_last_team_of_the_number_ended) {
  setting const two{sheaf::transport_kind::sim, 2, sheaf::fence_form_kind::dissemination};
  run_job(two.options(), [&](team const& world) {
    std::uint32_t id = 0;
    for (std::uint32_t left = 200'000; left > 0;) {  // collective operations, whose numbers have 16 bits
      team const next = world.split(0);
      if (id == 0) id = next.id();
      ASSERT_EQ(next.id(), id);
      for (int i = 0; i < 20'000; ++i, --left) barrier(next);
      next.end();
    }
  });
}

TEST(teams_errors, of_ends) {
  setting const three{sheaf::transport_kind::sim, 3, sheaf::fence_form_kind::dissemination};
  run_job(three.options(), [&](team const& world) {
    EXPECT_EQ(usage_text([&] { world.end(); }),
              "sheaf: team::end was called on the world; the world ends with its job");
    team const all = world.split(0);
    ++state_of(all).keepers;  // as an object does
    EXPECT_EQ(usage_text([&] { all.end(); }),
              "sheaf: team::end of team 1, of which 1 objects or scopes still exist at location " +
                  std::to_string(world.rank()) + "; destroy them before");
    --state_of(all).keepers;
    all.end();
  });
}

TEST(teams_errors, of_lists) {
  setting const three{sheaf::transport_kind::sim, 3, sheaf::fence_form_kind::dissemination};
  run_job(three.options(), [&](team const& world) {
    EXPECT_EQ(usage_text([&] {
                static_cast<void>(world.subteam({0, 3}));
              }),
              "sheaf: team 0 has no member 3; its ranks are 0 to 2");
    EXPECT_EQ(usage_text([&] {
                static_cast<void>(world.subteam({0, 2, 0}));
              }),
              "sheaf: team::subteam of team 0 names rank 0 twice; name each member once");
  });
}

TEST_P(teams, print_by_rank_0_alone) {
  testing::internal::CaptureStdout();
  run([&](team const& world) {
    team const half = world.split(world.rank() % 2);
    sheaf::print0(half, "%u members\n", half.size());
  });
  std::string const printed = testing::internal::GetCapturedStdout();
  EXPECT_NE(printed.find(" members\n"), std::string::npos);
  EXPECT_LE(std::ranges::count(printed, '\n'), 2) << printed;
}

}  // namespace
