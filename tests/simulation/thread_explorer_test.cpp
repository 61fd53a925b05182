// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Locations that have several threads, under many schedules: attached threads and methods that are concurrent send
// while fences run.
#include "simulation/threaded.hpp"

#include "simulation/seeds.hpp"

namespace {

using sheaf::progress_kind;
using sheaf_test::threaded;
using sheaf_test::threaded_program;

threaded_program const attached{"attached"};
threaded_program const many_fences{.name = "many_fences", .threads = 1, .sends = 6, .fences = 4, .left = 0};
threaded_program const three_locations{.name = "three_locations", .sends = 2, .fences = 1, .left = 3, .locations = 3};
threaded_program const concurrent{
    .name = "concurrent", .progress = progress_kind::helper, .threads = 0, .fences = 3, .left = 4, .concurrent = true};
threaded_program const all_together{
    .name = "all_together", .progress = progress_kind::helper, .threads = 2, .left = 2, .concurrent = true};
threaded_program const held{
    .name = "held", .progress = progress_kind::helper, .threads = 1, .sends = 4, .concurrent = true, .late = true};
threaded_program const scoped{.name = "scoped", .left = 2, .scoped = true};
threaded_program const served{
    .name = "served", .progress = progress_kind::hand_over, .threads = 1, .left = 2, .concurrent = true};

threaded_program const all_programs[] = {attached,     many_fences, three_locations, concurrent,
                                         all_together, held,        scoped,          served};

threaded_program with(threaded_program p, progress_kind progress) {
  p.progress = progress;
  return p;
}

sheaf::simulation simulation_of(threaded_program const& p) {
  sheaf::simulation s;
  s.job.transport = sheaf::transport_kind::sim;
  s.job.locations = p.locations;
  s.job.progress = p.progress;
  s.job.helpers = 2;
  s.job.stack_bytes = std::size_t{64} << 10;
  s.job = s.job.resolved();
  s.step_limit = 200'000;
  return s;
}

sheaf::simulation tight(sheaf::simulation s) {
  s.job.buffer_bytes = 128;
  s.job.first_flush_bytes = s.job.near_first_flush_bytes = 1;
  s.job.ring_slots = s.job.window = 1;
  s.job.reserve_bytes = s.job.buffer_budget = 1;
  s.job.poll_every = 1;
  return s;
}

void expect_sound(threaded_program const& p, sheaf::simulation const& s) {
  auto const found = sheaf_test::sample(
      s, [&] { return threaded(s.job, p); }, sheaf_test::first_schedule(), sheaf_test::schedules(500));
  EXPECT_FALSE(found.failed) << p.name << " " << name(p.progress) << ": " << found.text << " seed " << found.seed;
}

TEST(thread_explorer, random_schedules_end_right) {
  for (auto const& p : all_programs) expect_sound(p, simulation_of(p));
}

TEST(thread_explorer, with_rings_windows_and_caps_of_1) {
  for (auto const& p : all_programs) expect_sound(p, tight(simulation_of(p)));
}

TEST(thread_explorer, each_program_in_the_other_modes) {
  for (auto const mode : {progress_kind::shared, progress_kind::helper, progress_kind::hand_over}) {
    for (auto const& p : {attached, all_together, held, scoped}) {
      if (p.progress != mode) expect_sound(with(p, mode), simulation_of(with(p, mode)));
    }
  }
}

/// From the first one on, with one loss of the core for each location.
TEST(thread_explorer, many_schedules_in_turn_end_right) {
  threaded_program tiny = many_fences;
  tiny.sends = 2;
  tiny.fences = 1;
  sheaf::simulation s = simulation_of(tiny);
  s.preemptions = 1;
  auto const found = sheaf_test::explore(
      s, [&] { return threaded(s.job, tiny); }, sheaf_test::at_least(20'000));
  EXPECT_FALSE(found.failed) << found.text << " choices " << found.choices;
  std::printf("%llu schedules%s\n", static_cast<unsigned long long>(found.schedules), found.complete ? ", all" : "");
}

}  // namespace
