// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Every schedule of small programs, and many random ones of others, under the fence's detector and under wrong ones,
// which must be caught.
#include <gtest/gtest.h>

#include <utility>

#include "simulation/fenced.hpp"

namespace {

using sheaf::detail::location;
using sheaf::detail::scope_counts;
using sheaf::detail::sound_detector;
using sheaf::detail::team_state;
using sheaf::detail::wave_sum;
using sheaf_test::explored;
using sheaf_test::fenced;
using sheaf_test::sampled;
using sheaf_test::schedules;
using sheaf_test::simulation_of;
using sheaf_test::small_program;

// ---- Detectors -----------------------------------------------------------------------------------------------------

/// The paper's: sums of sent and executed, over as soon as they are equal.
struct single_sum : sound_detector {
  static bool settled(location& here, team_state&, scope_counts&) {
    here.out().flush();
    return true;
  }
  static bool ends(wave_sum const& sum) { return sum.balance == 0; }
};

/// Ours without the test for a consistent cut.
struct blind_to_late : sound_detector {
  static bool ends(wave_sum const& sum) { return sum.balance == 0; }
};

/// Ours, but requests do not tell from which side of a cut they come.
struct uncoloured : sound_detector {
  static wave_sum cut(location& here, team_state& team, scope_counts& of) {
    wave_sum const own = sound_detector::cut(here, team, of);
    --of.colour;
    return own;
  }
};

/// Requests still in this location's buffers are not counted.
struct forgets_buffered : sound_detector {
  static bool settled(location& here, team_state& team, scope_counts&) {
    while (here.step()) {
    }
    return team.awaited == 0;
  }
};

/// A reply on its way may still send by its continuation.
struct forgets_replies : sound_detector {
  static bool settled(location& here, team_state& team, scope_counts& of) {
    std::uint64_t const awaited = std::exchange(team.awaited, 0);
    bool const yes = sound_detector::settled(here, team, of);
    team.awaited += awaited;
    return yes;
  }
};

/// Requests count as executed when they begin, and handlers that wait go on with the fence.
struct counts_at_receipt : sound_detector {
  static constexpr bool goes_on_in_handlers = true;
  static wave_sum cut(location& here, team_state& team, scope_counts& of) {
    wave_sum own = sound_detector::cut(here, team, of);
    own.balance = of.sent - begun(here);
    return own;
  }
  static std::uint64_t progress(location& here, scope_counts const& of) { return of.sent + begun(here); }
  static std::uint64_t begun(location& here) { return sheaf_test::errand_reply::runners[number(here.id())]->begun; }
};

// ---- Programs ------------------------------------------------------------------------------------------------------

small_program calm(small_program p) {
  p.calm = true;
  return p;
}

small_program const idle2{"idle2", 2, {}};
small_program const idle3{"idle3", 3, {}};
small_program const one_way{"one_way", 2, {{1, 0, {}}}};
small_program const there_and_back{"there_and_back", 2, {{1, 0, {.hops = 1, .to = {1}}}}};
/// Where single sums fail: of what comes back, one is executed before the cut and one is on its way.
small_program const pair_back{"pair_back", 2, {{1, 0, {.hops = 1, .fan = 2, .to = {1}}}}, false, true};
small_program const crossing{"crossing", 2, {{0, 1, {.hops = 1, .to = {0}}}, {1, 0, {.hops = 1, .to = {1}}}}};
small_program const three_around{"three_around", 3, {{0, 1, {.hops = 3, .fan = 2, .to = {2, 0, 1}}}}};
small_program const in_buffers{"in_buffers", 2, {{1, 0, {.hops = 1, .to = {1}}, false}}};
small_program const asking{"asking", 2, {{0, 1, {.hops = 1, .asks = 1, .to = {1}}}}, false, true};
small_program const waiting{"waiting", 2, {{0, 1, {.waits = 1}}}, true};
small_program const waiting3{"waiting3", 3, {{0, 1, {.waits = 1}}}, true};

small_program on_processes(small_program p, unsigned threads) {
  p.threads = threads;
  return p;
}

/// The program with all its requests in a scope, and a copy of each in none, for which the scope's fence does not wait.
small_program in_scope(small_program p) {
  p.scope = true;
  std::vector<sheaf_test::start> const own = std::exchange(p.starts, {});
  for (sheaf_test::start one : own) {
    p.starts.push_back(one);
    one.what.apart = 1;
    one.what.asks = one.what.waits = 0;
    p.starts.push_back(one);
  }
  return p;
}
/// One record of each kind lies in one buffer behind the other, for one handler and object.
small_program const side_by_side = in_scope({"side_by_side", 2, {{1, 0, {.hops = 1, .to = {1}}, false}}});
/// While one request is on its way from location 0 to 1, others may go to and fro elsewhere for several waves.
small_program const long_under_way{"long_under_way", 3, {{0, 1, {}}, {0, 2, {.hops = 5, .to = {0, 2, 0, 2, 0}}}}};

// ---- The right one -------------------------------------------------------------------------------------------------

void expect_sound(sheaf_test::exploration const& found, small_program const& p) {
  EXPECT_FALSE(found.failed) << p.name << ": " << found.text << " choices " << found.choices;
}

TEST(fence_explorer, every_schedule_of_tiny_programs_ends_right) {
  for (auto const& p : {idle2, idle3, one_way, asking, waiting}) {
    auto const found = explored<sound_detector>(p, 1'000'000);
    expect_sound(found, p);
    EXPECT_TRUE(found.complete) << p.name << " after " << found.schedules;
    std::printf("%s: all %llu schedules\n", p.name, static_cast<unsigned long long>(found.schedules));
  }
}

TEST(fence_explorer, many_schedules_of_small_programs_end_right) {
  for (auto const& p : {in_buffers, there_and_back, pair_back}) expect_sound(explored<sound_detector>(p, 50'000), p);
}

TEST(fence_explorer, random_schedules_end_right) {
  for (auto const& p : {pair_back, crossing, three_around, in_buffers, asking, waiting3}) {
    expect_sound(sampled<sound_detector>(p, schedules()), p);
  }
}

TEST(fence_explorer, waves_by_way_of_leaders_end_right) {
  for (auto const& p : {on_processes(idle2, 2), on_processes(one_way, 2)}) {
    auto const found = explored<sound_detector>(p, 1'000'000);
    expect_sound(found, p);
    EXPECT_TRUE(found.complete) << p.name << " after " << found.schedules;
  }
  for (auto const& p : {on_processes(idle3, 2), on_processes(three_around, 2), on_processes(three_around, 3),
                        on_processes(waiting3, 2), on_processes(crossing, 2), calm(on_processes(three_around, 2))}) {
    expect_sound(sampled<sound_detector>(p, schedules()), p);
  }
}

TEST(fence_explorer, first_cuts_without_a_look_end_right) {
  for (auto const& p : {idle2, one_way, asking, waiting}) {
    auto const found = explored<sound_detector>(calm(p), 1'000'000);
    expect_sound(found, p);
    EXPECT_TRUE(found.complete) << p.name << " after " << found.schedules;
  }
  for (auto const& p : {in_buffers, there_and_back, pair_back}) {
    expect_sound(explored<sound_detector>(calm(p), 50'000), p);
  }
  for (auto const& p : {pair_back, crossing, three_around, in_buffers, asking, waiting3}) {
    expect_sound(sampled<sound_detector>(calm(p), schedules()), p);
  }
}

TEST(fence_explorer, random_schedules_with_every_cap_at_one_end_right) {
  for (auto const form : {sheaf::fence_form_kind::dissemination, sheaf::fence_form_kind::tree}) {
    for (auto const& p : {crossing, three_around, waiting3}) {
      sheaf::simulation s = simulation_of(p);
      s.job.fence_form = form;
      s.job.tree_arity = 1;
      s.job.ring_slots = s.job.window = 1;
      auto const make = [&] { return fenced<sound_detector>(s.job, p); };
      expect_sound(sheaf_test::sample(s, make, 1, schedules() / 2), p);
    }
  }
}

TEST(fence_explorer, every_schedule_of_tiny_programs_in_a_scope_ends_right) {
  for (auto const& p : {in_scope(idle2), in_scope(one_way)}) {
    auto const found = explored<sound_detector>(p, 300'000);
    expect_sound(found, p);
    std::printf("%s: %llu schedules%s\n", p.name, static_cast<unsigned long long>(found.schedules),
                found.complete ? ", all" : "");
  }
}

TEST(fence_explorer, random_schedules_of_scopes_end_right) {
  for (auto const& p :
       {side_by_side, in_scope(pair_back), in_scope(crossing), in_scope(three_around), in_scope(in_buffers),
        in_scope(asking), in_scope(waiting3), calm(in_scope(crossing)), on_processes(in_scope(three_around), 2)}) {
    expect_sound(sampled<sound_detector>(p, schedules() / 2), p);
  }
}

TEST(fence_explorer, a_request_that_is_on_its_way_for_several_waves_ends_the_fence_of_a_scope) {
  expect_sound(sampled<sound_detector>(in_scope(long_under_way), schedules()), long_under_way);
}

// ---- The wrong ones ------------------------------------------------------------------------------------------------

/// A wrong detector is found out, and by what is printed the failing run can be had again.
template <class Detector>
void expect_caught(small_program const& p) {
  auto const found = explored<Detector>(p, 200'000);
  ASSERT_TRUE(found.failed) << found.schedules << " schedules of " << p.name << " found nothing";
  std::printf("%s: schedule %llu: %s\n", p.name, static_cast<unsigned long long>(found.schedules), found.text.c_str());
  EXPECT_NE(found.text.find("unfinished"), std::string::npos) << found.text;
  sheaf::simulation s = simulation_of(p);
  s.order = sheaf::play::plain;
  fenced<Detector> again(s.job, p);
  struct body final : sheaf::location_body {
    explicit body(fenced<Detector>& r) : what(r) {}
    void run(sheaf::endpoint& connection) override { what.run(connection); }
    fenced<Detector>& what;
  } once(again);
  sheaf_test::replay_schedule decisions(found.choices);
  EXPECT_EQ(simulate(s, decisions, once).how, sheaf::ending::failed);
}

TEST(fence_explorer, catches_the_papers_single_sum) { expect_caught<single_sum>(pair_back); }
TEST(fence_explorer, catches_a_detector_blind_to_late_requests) { expect_caught<blind_to_late>(pair_back); }
TEST(fence_explorer, catches_requests_without_colours) { expect_caught<uncoloured>(pair_back); }
TEST(fence_explorer, catches_requests_forgotten_in_buffers) { expect_caught<forgets_buffered>(in_buffers); }
TEST(fence_explorer, catches_forgotten_replies) { expect_caught<forgets_replies>(asking); }

template <class Detector>
void expect_caught_at_random(small_program const& p) {
  auto const found = sampled<Detector>(p, schedules());
  EXPECT_TRUE(found.failed) << schedules() << " schedules of " << p.name << " found nothing";
  std::printf("%s: seed %llu: %s\n", p.name, static_cast<unsigned long long>(found.seed), found.text.c_str());
}

TEST(fence_explorer, random_schedules_catch_them_all) {
  expect_caught_at_random<single_sum>(pair_back);
  expect_caught_at_random<blind_to_late>(pair_back);
  expect_caught_at_random<uncoloured>(pair_back);
  expect_caught_at_random<forgets_buffered>(in_buffers);
  expect_caught_at_random<forgets_replies>(asking);
  expect_caught_at_random<counts_at_receipt>(waiting3);
  expect_caught_at_random<single_sum>(in_scope(pair_back));
  expect_caught_at_random<blind_to_late>(in_scope(pair_back));
  expect_caught_at_random<uncoloured>(in_scope(pair_back));
  expect_caught_at_random<forgets_replies>(in_scope(asking));
}

}  // namespace
