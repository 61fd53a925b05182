// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/explorer.hpp"
#include "runtime/collective.hpp"
#include "runtime/fence_machine.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/scope.hpp"
#include "simulation/ambient_scope.hpp"
#include "simulation/errand.hpp"
#include "simulation/seeds.hpp"

/// Small programs that end in a fence, of the world or of a scope of it, under a detector.
namespace sheaf_test {

using sheaf::detail::fence_machine;
using sheaf::detail::location;
using sheaf::detail::sound_detector;

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
  bool scope = false;        ///< the fence is of a scope, in which all starts are but those `apart`
  bool calm = false;         ///< as after a fence in which nobody had done anything: first cuts need no look
};

/// One run of a program under a detector. Errors of the detector come out of `run` as exceptions.
template <class Detector>
class fenced {
 public:
  fenced(sheaf::options const& settings, small_program const& program)
      : settings_(settings), program_(program), truth_(std::make_unique<errand_truth>()) {}

  void run(sheaf::endpoint& connection) {
    location here(connection, settings_);
    ambient_scope const guard(here);
    errand_runner runner(here, *truth_);
    errand_reply::runners[number(here.id())] = &runner;
    sheaf::team const world = team_of(here, here.registered().world());
    std::optional<sheaf::detail::scope> scope;
    if (program_.scope) scope.emplace(world, how());
    std::uint32_t const fenced_scope = program_.scope ? scope->number() : 0;
    state_of(world).counts_of(fenced_scope).calm = program_.calm;
    for (start const& s : program_.starts) {
      if (s.at != number(here.id())) continue;
      if (scope && s.what.apart == 0) {
        auto const inside = scope->sending();
        runner.send(s.dest, s.what, s.flush);
      } else {
        runner.send(s.dest, s.what, s.flush);
      }
    }
    if (program_.waits_first && number(here.id()) == 1) sheaf::wait_for_request();
    fence(here, runner, fenced_scope);
    if (program_.scope) sheaf::fence(sheaf::world());
  }

  std::uint64_t waves = 0;  ///< that the fence took

  void check() const {
    if (!truth_->all_done()) throw std::runtime_error("requests are left");
  }

 private:
  static constexpr bool is_sound = std::is_same_v<Detector, sound_detector> || requires { Detector::is_sound; };

  static constexpr sheaf::detection how() {
    if constexpr (requires { Detector::how; }) return Detector::how;
    return {};
  }

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
    for (std::uint32_t i = 0; i < locations; ++i) all += errand_reply::runners[i]->begun;
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

  void fence(location& here, errand_runner& runner, std::uint32_t scope) {
    sheaf::team const world = team_of(here, here.registered().world());
    sheaf::detail::fence_value begun = value_of(runner);
    sheaf::detail::collective_call call{world, sheaf::detail::says("a fence")};
    call.scope = scope;
    call.how = how();
    play mine{fence_machine<Detector>(call, is_sound ? &begun : nullptr)};
    if constexpr (requires { Detector::goes_on_in_handlers; }) {
      runner.while_waiting = [](void* p) { static_cast<play*>(p)->advance(); };
      runner.context = &mine;
    }
    if (program_.word && number(here.id()) == (here.size() == 2 ? 0 : 2)) {
      send_urgently<errand_reply>(here, 1, 0, {});
    }
    sheaf::detail::finish(here, mine, sheaf::detail::wait_site::unknown);
    waves = mine.machine.waves();
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

inline sheaf::simulation simulation_of(small_program const& p) {
  sheaf::simulation s;
  s.job.transport = sheaf::transport_kind::sim;
  s.job.locations = p.locations;
  s.job.threads = p.threads;
  s.job = s.job.resolved();
  return s;
}

template <class Detector>
exploration explored(small_program const& p, std::uint64_t limit) {
  auto const s = simulation_of(p);
  return explore(
      s, [&] { return fenced<Detector>(s.job, p); }, limit);
}

template <class Detector>
exploration sampled(small_program const& p, std::uint64_t count) {
  auto const s = simulation_of(p);
  return sample(
      s, [&] { return fenced<Detector>(s.job, p); }, first_schedule(), count);
}

inline std::uint64_t schedules() { return schedules(20'000); }

}  // namespace sheaf_test
