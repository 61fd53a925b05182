// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Every schedule of tiny programs of two locations.
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sheaf/rmi/distributed.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "simulation/seeds.hpp"

namespace {

using sheaf::team;

/// The part of one location; what is wrong it throws.
struct cell : sheaf::distributed<cell> {
  explicit cell(sheaf::team const& t) : distributed(t) {}
  std::vector<int> got;
  void note(int v) { got.push_back(v); }
  int ask(int v) {
    ++asked;
    return v + 1;
  }
  int asked = 0;
  /// Executes others' requests until so many were answered here. Cheaper than a fence, which multiplies the schedules.
  void answer(int questions) {
    here_of(members()).wait(sheaf::detail::wait_kind::answer, [&] { return asked == questions; });
  }
  /// Waits in the middle of a run.
  void ask_back(int v) {
    got.push_back(v);
    got.push_back(sync<&cell::ask>(1 - rank(), v) * 100);
  }
  void pass_on(int v) { async<&cell::note>(1 - rank(), v); }
};

using part = std::function<void(cell&)>;

class body {
 public:
  body(sheaf::options const& job, part const& p) : job_(job), part_(p) {}
  /// Without the fence that ends a job: the part's own is enough, and each more multiplies the schedules.
  void run(sheaf::endpoint& connection) {
    sheaf::detail::location here(connection, job_);
    sheaf::detail::location* const before = std::exchange(sheaf::detail::ambient_location, &here);
    struct leave {
      sheaf::detail::location& here;
      sheaf::detail::location* before;
      ~leave() {
        sheaf::detail::destroy_collectives(here);
        sheaf::detail::ambient_location = before;
      }
    } const guard{here, before};
    sheaf::detail::make_collectives(here);
    cell c(team_of(here, here.registered().world()));
    part_(c);
  }

 private:
  sheaf::options job_;
  part part_;
};

void expect(bool yes, char const* what) {
  if (!yes) throw std::runtime_error(what);
}

sheaf::simulation pair_of_locations() {
  sheaf::simulation s;
  s.job.transport = sheaf::transport_kind::sim;
  s.job.locations = 2;
  s.job = s.job.resolved();
  return s;
}

/// One entry in flight and one record in each.
sheaf::simulation tight_pair() {
  sheaf::simulation s = pair_of_locations();
  s.job.ring_slots = s.job.window = 1;
  s.job.buffer_bytes = 128;
  s.job.first_flush_bytes = 1;
  return s;
}

/// Runs all schedules, or so many where there are more.
void expect_all_right(part const& p, bool all = true, std::uint64_t limit = 300'000,
                      sheaf::simulation s = pair_of_locations()) {
  limit = sheaf_test::at_least(limit);
  auto const found = sheaf_test::explore(
      s, [&] { return body(s.job, p); }, limit);
  EXPECT_FALSE(found.failed) << found.text << "\nchoices " << found.choices;
  EXPECT_TRUE(found.complete || !all) << "more than " << found.schedules << " schedules";
  std::printf("%llu schedules, complete: %d\n", static_cast<unsigned long long>(found.schedules), found.complete);
}

TEST(explored, two_that_ask_each_other) {
  expect_all_right([](cell& c) {
    expect(c.sync<&cell::ask>(1 - c.rank(), 4) == 5, "the wrong answer");
    c.answer(1);
  });
}

TEST(explored, a_handler_that_waits_in_the_middle_of_a_run) {
  expect_all_right([](cell& c) {
    if (c.rank() == 0) {
      c.async<&cell::ask_back>(1, 1);
      c.async<&cell::ask_back>(1, 2);
      c.async<&cell::note>(1, 3);
      return c.answer(2);
    }
    here_of(c.members()).wait(sheaf::detail::wait_kind::answer, [&] { return c.got.size() == 5; });
    std::vector<int> begun;
    for (int const v : c.got) {
      if (v < 100) begun.push_back(v);
    }
    expect(begun == std::vector<int>{1, 2, 3}, "out of order");
  });
}

TEST(explored, a_fence_with_one_nested_request) {
  expect_all_right(
      [](cell& c) {
        if (c.rank() == 0) c.async<&cell::pass_on>(1, 7);
        fence(c.members());
        expect(c.got.size() == (c.rank() == 0 ? 1u : 0u), "the fence returned early");
      },
      false, 100'000);
}

TEST(explored, senders_that_block_each_other_with_one_entry_in_flight) {
  expect_all_right(
      [](cell& c) {
        for (int i = 0; i < 2; ++i) c.async<&cell::note>(1 - c.rank(), i);
        fence(c.members());
        expect(c.got == std::vector<int>{0, 1}, "not both in order");
      },
      false, 60'000, tight_pair());
}

TEST(explored, both_ask_from_handlers_at_once) {
  expect_all_right(
      [](cell& c) {
        c.async<&cell::ask_back>(1 - c.rank(), 1);
        fence(c.members());
        expect(c.got == std::vector<int>{1, 200}, "an answer is missing");
      },
      false, 60'000, tight_pair());
}

TEST(explored, handlers_that_hold_back_more_than_the_reserve) {
  sheaf::simulation s = tight_pair();
  s.job.reserve_bytes = 1;
  expect_all_right(
      [](cell& c) {
        for (int i = 0; i < 2; ++i) c.async<&cell::pass_on>(1 - c.rank(), i);
        fence(c.members());
        expect(c.got == std::vector<int>{0, 1}, "not both in order");
      },
      false, 60'000, s);
}

}  // namespace
