// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Every schedule of small programs, and many random ones of others, under the fence's detector and under wrong ones,
// which must be caught.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "harness/explorer.hpp"
#include "runtime/fence_machine.hpp"
#include "runtime/finish.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "simulation/ambient_scope.hpp"
#include "simulation/errand.hpp"

namespace {

using sheaf::location;
using sheaf::detail::cut_late;
using sheaf::detail::fence_machine;
using sheaf::detail::sound_detector;
using sheaf::detail::team_state;
using sheaf::detail::wave_sum;
using sheaf_test::errand;
using sheaf_test::errand_runner;
using sheaf_test::errand_truth;

// ---- Detectors -----------------------------------------------------------------------------------------------------

/// The paper's: sums of sent and executed, over as soon as they are equal.
struct single_sum : sound_detector {
  static bool settled(location& here, team_state&) {
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
  static wave_sum cut(location& here, team_state& team) {
    wave_sum const own = sound_detector::cut(here, team);
    --team.colour;
    return own;
  }
};

/// Requests still in this location's buffers are not counted.
struct forgets_buffered : sound_detector {
  static bool settled(location& here, team_state& team) {
    while (here.step()) {
    }
    return team.awaited == 0;
  }
};

/// A reply on its way may still send by its continuation.
struct forgets_replies : sound_detector {
  static bool settled(location& here, team_state& team) {
    std::uint64_t const awaited = std::exchange(team.awaited, 0);
    bool const yes = sound_detector::settled(here, team);
    team.awaited += awaited;
    return yes;
  }
};

/// Requests count as executed when they begin, and handlers that wait go on with the fence.
struct counts_at_receipt : sound_detector {
  static wave_sum cut(location& here, team_state& team) {
    wave_sum own = sound_detector::cut(here, team);
    own.balance = team.sent - begun(here);
    return own;
  }
  static std::uint64_t progress(location& here, team_state const& team) { return team.sent + begun(here); }
  static std::uint64_t begun(location& here) { return sheaf_test::errand_reply::runners[number(here.id())]->begun; }
};

// ---- Programs ------------------------------------------------------------------------------------------------------

/// What one location issues before its fence.
struct start {
  std::uint32_t at;
  std::uint32_t dest;
  errand what;
  bool flush = true;
};

struct small_program {
  char const* name;
  std::uint32_t locations;
  std::vector<start> starts;
  bool word = false;         ///< location 2, or 0 of two, sends location 1 the word that its handler waits for
  bool waits_first = false;  ///< location 1 enters the fence when it has executed a request
  unsigned threads = 0;      ///< locations of each process
  bool calm = false;         ///< as after a fence in which nobody had done anything: first cuts need no look
};

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

/// One run of a program under a detector. Errors of the detector come out of `run` as exceptions.
template <class Detector>
class fenced {
 public:
  fenced(sheaf::options const& settings, small_program const& program)
      : settings_(settings), program_(program), truth_(std::make_unique<errand_truth>()) {}

  void run(sheaf::endpoint& connection) {
    location here(connection, settings_);
    sheaf_test::ambient_scope const guard(here);
    errand_runner runner(here, *truth_);
    sheaf_test::errand_reply::runners[number(here.id())] = &runner;
    here.registered().world().calm = program_.calm;
    for (start const& s : program_.starts) {
      if (s.at == number(here.id())) runner.send(s.dest, s.what, s.flush);
    }
    if (program_.waits_first && number(here.id()) == 1) sheaf::rmi_wait();
    fence(here, runner);
  }

  void check() const {
    if (!truth_->all_done()) throw std::runtime_error("requests are left");
  }

 private:
  static constexpr bool is_sound = std::is_same_v<Detector, sound_detector>;

  /// How many errands have begun, which is what they all are when the fence has ended.
  static sheaf::detail::fence_value value_of(errand_runner const& runner) {
    sheaf::detail::fence_value begun;
    begun.bytes = sizeof runner.begun;
    begun.own = &runner.begun;
    begun.own_to = [](void const* own, std::byte* to) { std::memcpy(to, own, sizeof runner.begun); };
    begun.add_to = [](void const*, std::byte* mine, std::byte const* theirs) {
      std::uint64_t both[2];
      std::memcpy(both, mine, sizeof both[0]);
      std::memcpy(both + 1, theirs, sizeof both[1]);
      both[0] += both[1];
      std::memcpy(mine, both, sizeof both[0]);
    };
    return begun;
  }
  static std::uint64_t sum_of(sheaf::detail::fence_value const& begun) {
    std::uint64_t sum = 0;
    std::memcpy(&sum, begun.longer, sizeof sum);
    return sum;
  }
  static std::uint64_t errands_begun(std::uint32_t locations) {
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < locations; ++i) all += sheaf_test::errand_reply::runners[i]->begun;
    return all;
  }

  struct play {
    fence_machine<Detector> machine;
    bool over = false;
    bool inside = false;
    bool advance() {
      if (over || inside) return over;  // a handler that waits comes here again
      inside = true;
      over = machine.advance();
      inside = false;
      return over;
    }
  };

  void fence(location& here, errand_runner& runner) {
    sheaf::team const world(here, here.registered().world());
    sheaf::detail::fence_value begun = value_of(runner);
    play mine{fence_machine<Detector>({world, sheaf::detail::says("a fence")}, is_sound ? &begun : nullptr)};
    if constexpr (std::is_same_v<Detector, counts_at_receipt>) {
      runner.while_waiting = [](void* p) { static_cast<play*>(p)->advance(); };
      runner.context = &mine;
    }
    if (program_.word && number(here.id()) == (here.size() == 2 ? 0 : 2)) {
      sheaf_test::send_urgently<sheaf_test::errand_reply>(here, 1, 0, {});
    }
    sheaf::detail::finish(here, mine, sheaf::detail::wait_site::unknown);
    if (is_sound && sum_of(begun) != errands_begun(here.size()))
      throw std::runtime_error("the fence brought an old value");
    if (!truth_->all_done()) {
      throw std::runtime_error("the fence returned on location " + std::to_string(number(here.id())) + " with " +
                               std::to_string(truth_->issued - truth_->finished) + " of " +
                               std::to_string(truth_->issued) + " requests unfinished");
    }
  }

  sheaf::options settings_;
  small_program program_;
  std::unique_ptr<errand_truth> truth_;
};

sheaf::simulation simulation_of(small_program const& p) {
  sheaf::simulation s;
  s.job.transport = sheaf::transport_kind::sim;
  s.job.locations = p.locations;
  s.job.threads = p.threads;
  s.job = s.job.resolved();
  return s;
}

template <class Detector>
sheaf_test::exploration explored(small_program const& p, std::uint64_t limit) {
  auto const s = simulation_of(p);
  return sheaf_test::explore(
      s, [&] { return fenced<Detector>(s.job, p); }, limit);
}

template <class Detector>
sheaf_test::exploration sampled(small_program const& p, std::uint64_t count) {
  auto const s = simulation_of(p);
  return sheaf_test::sample(
      s, [&] { return fenced<Detector>(s.job, p); }, 1, count);
}

/// SHEAF_SCHEDULES: how many random schedules to run of each program.
std::uint64_t schedules() {
  char const* const text = std::getenv("SHEAF_SCHEDULES");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 20'000;
}

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
  sheaf::replay_schedule decisions(found.choices);
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
}

}  // namespace
