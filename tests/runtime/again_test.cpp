// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Jobs one after another in one process.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/process_things.hpp"
#include "sheaf/sheaf.hpp"

namespace {

using sheaf::options;
using sheaf::transport_kind;
using sheaf_test::process_things;

struct counter : sheaf::distributed<counter> {
  explicit counter(sheaf::team const& t) : distributed(t) {}
  int total = 0;
  std::string text;
  void add(int n) { total += n; }
  void write(std::string const& t) { text += t; }
  int get() { return total; }
};

/// Everybody adds to everybody, by methods of several kinds; the sum over all.
constexpr auto adds_up = [](sheaf::team const& world) {
  counter c(world);
  for (std::uint32_t d = 0; d < world.size(); ++d) {
    for (int i = 0; i < 100; ++i) c.async<&counter::add>(d, 1);
    c.async<&counter::write>(d, std::string("ab"));
  }
  sheaf::fence(world);
  int const next = c.sync<&counter::get>((world.rank() + 1) % world.size());
  int const own = c.total + static_cast<int>(c.text.size());
  return next == c.total ? sheaf::all_reduce(world, own, [](int a, int b) { return a + b; }) : -1;
};

int expected(unsigned n) { return static_cast<int>(n * n * 102); }

options over(transport_kind kind, unsigned locations) {
  options o = options::from_environment();
  o.transport = kind;
  o.locations = locations;
  return o;
}

/// The settings of the i-th job: other transports, sizes, buffers and forms in turn.
options settings_of(unsigned i) {
  options o = over(i % 2 == 0 ? transport_kind::thread : transport_kind::sim, 1 + i % 4);
  o.buffer_bytes = std::size_t{128} << i % 8;
  o.ring_slots = 1 + i % 5;
  o.fence_form = i % 3 == 0 ? sheaf::fence_form_kind::tree : sheaf::fence_form_kind::automatic;
  o.seed = i;
  return o;
}

std::string failure_of(options const& o) {
  try {
    sheaf::run(o, [](sheaf::team const& world) {
      counter c(world);
      if (world.rank() == 1) throw std::runtime_error("on purpose");
      sheaf::barrier(world);
    });
  } catch (sheaf::job_failed const& e) {
    return e.what();
  }
  return "";
}

TEST(again, a_hundred_jobs_leave_no_thread_descriptor_or_memory) {
  constexpr unsigned warm = 200;  // until the allocator's own caches of free pieces hardly grow
  process_things before;
  for (unsigned i = 0; i < warm + 100; ++i) {
    if (i == warm) before = process_things::now(1);
    options const o = settings_of(i);
    ASSERT_EQ(sheaf::run(o, adds_up), expected(o.locations)) << i;
  }
  EXPECT_EQ(process_things::now(before.threads).growth_since(before, 16 << 10), "");
}

TEST(again, a_job_that_failed_leaves_nothing_and_the_next_is_well) {
  constexpr int warm = 8;
  process_things before;
  for (int i = 0; i < warm + 50; ++i) {
    if (i == warm) before = process_things::now(1);
    options const o = over(i % 2 == 0 ? transport_kind::thread : transport_kind::sim, 3);
    EXPECT_NE(failure_of(o).find("location 1: on purpose"), std::string::npos);
    ASSERT_EQ(sheaf::run(o, adds_up), expected(3)) << i;
  }
  EXPECT_EQ(process_things::now(before.threads).growth_since(before, 16 << 10), "");
}

TEST(again, a_job_within_a_job_is_refused_and_the_outer_one_goes_on) {
  for (auto const kind : {transport_kind::thread, transport_kind::sim}) {
    int const total = sheaf::run(over(kind, 2), [kind](sheaf::team const& world) {
      std::string text;
      try {
        sheaf::run(over(kind, 2), [] {});
      } catch (sheaf::usage_error const& e) {
        text = e.what();
      }
      EXPECT_EQ(text, "sheaf: run() was called by a location of a running job; call it from outside");
      return adds_up(world);
    });
    EXPECT_EQ(total, expected(2));
  }
}

TEST(again, jobs_of_different_threads_of_the_program) {
  for (unsigned i = 0; i < 6; ++i) {
    std::thread([i] { EXPECT_EQ(sheaf::run(settings_of(i), adds_up), expected(1 + i % 4)); }).join();
    EXPECT_EQ(sheaf::run(settings_of(i + 1), adds_up), expected(1 + (i + 1) % 4));
  }
}

TEST(again, a_job_whose_settings_are_refused_has_not_begun) {
  for (int i = 0; i < 3; ++i) {
    options wrong = over(transport_kind::thread, 2);
    wrong.threads = 3;
    EXPECT_THROW(sheaf::run(wrong, adds_up), sheaf::option_error);
    EXPECT_EQ(sheaf::run(over(transport_kind::thread, 2), adds_up), expected(2));
  }
}

int rank_and_one(sheaf::team world) { return static_cast<int>(world.rank()) + 1; }
void nothing() {}

TEST(programs, may_be_functions) {
  options o;
  o.transport = transport_kind::thread;
  o.locations = 3;
  EXPECT_EQ(sheaf::run(o, rank_and_one), 3);
  EXPECT_EQ(sheaf::run(o, &rank_and_one), 3);
  EXPECT_EQ(sheaf::run(o, nothing), 0);
}

}  // namespace
