// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Every detector of epochs under every schedule of small programs, and many random ones of others; and wrong forms of
// each, which must be caught.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

#include "simulation/fenced.hpp"

namespace {

using namespace sheaf_test;
using sheaf::detail::channel_counting;
using sheaf::detail::cut_of;
using sheaf::detail::depth_detector;
using sheaf::detail::four_counter;
using sheaf::detail::location;
using sheaf::detail::scope_counts;
using sheaf::detail::sinha_kale_ramkumar;
using sheaf::detail::sound_detector;
using sheaf::detail::team_state;
using sheaf::detail::wave_sum;

/// A detector with the request for it. It brings the value, too, unless it is a wrong one.
template <class Detector, sheaf::detector By, std::uint32_t Depth = 0>
struct asked : Detector {
  static constexpr sheaf::detection how{By, Depth};
};
template <class Detector, sheaf::detector By, std::uint32_t Depth = 0>
struct right : asked<Detector, By, Depth> {
  static constexpr bool is_sound = true;
};

using coloured = right<sound_detector, sheaf::detector::coloured_wave>;
using mattern = right<four_counter<sound_detector>, sheaf::detector::four_counter>;
using channels = right<channel_counting<sound_detector>, sheaf::detector::channel_counting>;
using skr = right<sinha_kale_ramkumar<sound_detector>, sheaf::detector::sinha_kale_ramkumar>;
template <std::uint32_t Depth>
using nested = right<depth_detector<sound_detector>, sheaf::detector::depth, Depth>;

// ---- Programs ------------------------------------------------------------------------------------------------------

small_program in_scope(small_program p) {
  p.scope = true;
  return p;
}
small_program const idle2 = in_scope({"idle2", 2, {}});
small_program const idle3 = in_scope({"idle3", 3, {}});
small_program const one_way = in_scope({"one_way", 2, {{1, 0, {}}}});
small_program const to_itself = in_scope({"to_itself", 2, {{0, 0, {.hops = 1, .to = {1}}}}});
small_program const there_and_back = in_scope({"there_and_back", 2, {{1, 0, {.hops = 1, .to = {1}}}}});
small_program const pair_back = in_scope({"pair_back", 2, {{1, 0, {.hops = 1, .fan = 2, .to = {1}}}}, false, true});
small_program const crossing =
    in_scope({"crossing", 2, {{0, 1, {.hops = 1, .to = {0}}}, {1, 0, {.hops = 1, .to = {1}}}}});
small_program const three_around = in_scope({"three_around", 3, {{0, 1, {.hops = 3, .fan = 2, .to = {2, 0, 1}}}}});
small_program const in_buffers = in_scope({"in_buffers", 2, {{1, 0, {.hops = 1, .to = {1}}, false}}});
small_program const asking = in_scope({"asking", 2, {{0, 1, {.hops = 1, .asks = 1, .to = {1}}}}, false, true});
small_program const waiting3 = in_scope({"waiting3", 3, {{0, 1, {.waits = 1}}}, true});
small_program const long_under_way =
    in_scope({"long_under_way", 3, {{0, 1, {}}, {0, 2, {.hops = 5, .to = {0, 2, 0, 2, 0}}}}});

// ---- The right ones ------------------------------------------------------------------------------------------------

template <class Detector>
struct detector_explorer : testing::Test {};
using all_right = testing::Types<mattern, channels, skr, nested<5>>;
TYPED_TEST_SUITE(detector_explorer, all_right);

void expect_sound(sheaf_test::exploration const& found, small_program const& p) {
  EXPECT_FALSE(found.failed) << p.name << ": " << found.text << " choices " << found.choices;
}

TYPED_TEST(detector_explorer, ends_right_in_schedules_of_tiny_programs) {
  for (auto const& p : {idle2, one_way, to_itself}) expect_sound(explored<TypeParam>(p, 20'000), p);
}

TYPED_TEST(detector_explorer, ends_right_in_random_schedules) {
  for (auto const& p : {idle3, to_itself, there_and_back, pair_back, crossing, three_around, in_buffers, asking,
                        waiting3, long_under_way}) {
    expect_sound(sampled<TypeParam>(p, schedules() / 8), p);
  }
}

TEST(detectors, a_depth_that_just_suffices_ends_right) {
  expect_sound(sampled<nested<0>>(one_way, schedules() / 4), one_way);
  for (auto const& p : {to_itself, there_and_back, pair_back, crossing, in_buffers})
    expect_sound(sampled<nested<1>>(p, schedules() / 4), p);
  expect_sound(sampled<nested<3>>(three_around, schedules() / 4), three_around);
}

/// The waves that each member's fence takes, as the sum over them, for many schedules.
template <class Detector>
std::vector<std::uint64_t> waves_of(small_program const& p) {
  auto const s = simulation_of(p);
  std::vector<std::uint64_t> all;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    struct body final : sheaf::location_body {
      explicit body(fenced<Detector>& r) : what(r) {}
      void run(sheaf::endpoint& connection) override {
        what.run(connection);
        waves = what.waves;
      }
      fenced<Detector>& what;
      std::uint64_t waves = 0;
    };
    fenced<Detector> program(s.job, p);
    body once(program);
    sheaf::random_schedule decisions(seed);
    simulate(s, decisions, once);
    all.push_back(once.waves);
  }
  return all;
}

TEST(detectors, differ_in_the_waves_that_they_take) {
  auto const of = [](auto its) { return waves_of<decltype(its)>(pair_back); };
  std::vector<std::vector<std::uint64_t>> const all{of(coloured{}), of(mattern{}), of(channels{}), of(skr{}),
                                                    of(nested<1>{})};
  for (auto const& one : all) {
    for (auto const& other : all) {
      if (&one != &other) EXPECT_NE(one, other);
    }
  }
}

// ---- The wrong ones ------------------------------------------------------------------------------------------------

template <class Detector>
void expect_caught(small_program const& p) {
  auto const found = sampled<Detector>(p, schedules());
  EXPECT_TRUE(found.failed) << schedules() << " schedules of " << p.name << " found nothing";
  std::printf("%s: seed %llu: %s\n", p.name, static_cast<unsigned long long>(found.seed), found.text.c_str());
}

/// Mattern's counters, believed at once.
struct two_counters : asked<four_counter<sound_detector>, sheaf::detector::four_counter> {
  bool ends(wave_sum const& sum) {
    four_counter<sound_detector>::ends(sum);
    return sum.balance == 0;
  }
};

/// Without the second kind of wave.
struct does_not_ask_again : asked<sinha_kale_ramkumar<sound_detector>, sheaf::detector::sinha_kale_ramkumar> {
  static bool ends(wave_sum const& sum) { return sum.balance == 0; }
};

/// Of all that was executed, but not of each channel.
struct adds_channels : asked<channel_counting<sound_detector>, sheaf::detector::channel_counting> {
  static bool ends(wave_sum const& sum) { return sum.balance == 0; }
};

/// No acknowledgements: barriers alone.
struct barriers_alone : asked<depth_detector<sound_detector>, sheaf::detector::depth, 1> {
  static bool gather(cut_of const&, wave_sum&) { return true; }
};

/// Ends the epoch one barrier too early, as if one level of nesting less had been declared.
struct one_generation_less : asked<depth_detector<sound_detector>, sheaf::detector::depth, 1> {
  sheaf::detail::fence_value* begin(sheaf::detection how, sheaf::detail::fence_value* users) {
    return depth_detector<sound_detector>::begin({how.by, how.depth - 1}, users);
  }
};

/// Requests to itself need no acknowledgement, it thinks.
struct forgets_itself : asked<depth_detector<sound_detector>, sheaf::detector::depth, 1> {
  static bool settled(location& here, team_state& team, scope_counts&) {
    here.out().flush();
    return here.in().quiet(team);
  }
};

TEST(detectors, wrong_forms_are_caught) {
  expect_caught<two_counters>(pair_back);
  expect_caught<does_not_ask_again>(pair_back);
  expect_caught<adds_channels>(pair_back);
  expect_caught<barriers_alone>(one_way);
  expect_caught<one_generation_less>(pair_back);
  expect_caught<forgets_itself>(to_itself);
}

}  // namespace
