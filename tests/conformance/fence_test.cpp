// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Many small fences, each with a handful of requests on their way: what a wrong detector of termination gets wrong.
#include <cstdint>
#include <string>

#include "conformance/suite.hpp"

namespace {

using sheaf_test::suite;

constexpr auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };

std::uint64_t next_random(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

/// Trees of requests whose shape follows from a seed, so that everybody knows how many there are.
class forest : public sheaf::distributed<forest> {
 public:
  explicit forest(sheaf::team const& on) : distributed(on) {}

  void grow(std::uint64_t seed, std::uint32_t depth) {
    ++executed;
    std::uint64_t const branches = depth == 0 ? 0 : next_random(seed) % 4;
    for (std::uint64_t i = 0; i < branches; ++i) {
      std::uint64_t const dest = next_random(seed) % members().size();
      async<&forest::grow>(dest, seed, depth - 1);
    }
  }

  static std::uint64_t requests(std::uint64_t seed, std::uint32_t depth) {
    std::uint64_t all = 1;
    std::uint64_t const branches = depth == 0 ? 0 : next_random(seed) % 4;
    for (std::uint64_t i = 0; i < branches; ++i) {
      next_random(seed);
      all += requests(seed, depth - 1);
    }
    return all;
  }

  std::uint64_t asked(std::uint64_t value) { return value; }

  std::uint64_t executed = 0;
};

/// One tree per round, of one member's; after each fence all of it has been executed.
void check_trees(suite& s, sheaf::team const& on, std::uint64_t rounds) {
  forest trees(on);
  std::uint64_t expected = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::uint64_t seed = round * 7919 + on.size();
    std::uint64_t const root = next_random(seed) % on.size(), dest = next_random(seed) % on.size();
    auto const depth = static_cast<std::uint32_t>(1 + round % 5);
    expected += forest::requests(seed, depth);
    if (on.rank() == root) trees.async<&forest::grow>(dest, seed, depth);
    sheaf::fence(on);
    s.same(sheaf::all_reduce(on, trees.executed, plus), expected,
           "requests executed by fence " + std::to_string(round));
  }
}

/// One member asks; when the answer is there, its continuation sends a tree.
void check_continuations(suite& s, sheaf::team const& asking, sheaf::team const& fencing, std::uint64_t rounds) {
  forest questions(asking), trees(fencing);
  std::uint64_t expected = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::uint64_t const seed = round * 104'729;
    expected += forest::requests(seed, 2);
    if (fencing.rank() == round % fencing.size()) {
      static_cast<void>(questions.ask<&forest::asked>(round % asking.size(), seed).then([&](std::uint64_t answer) {
        trees.async<&forest::grow>(answer % fencing.size(), answer, 2u);
      }));
    }
    sheaf::fence(fencing);
    s.same(sheaf::all_reduce(fencing, trees.executed, plus), expected,
           "requests executed by fence " + std::to_string(round));
  }
}

}  // namespace

SHEAF_CASE(fence, waits_for_small_trees_of_requests) { check_trees(s, s.world, s.scaled(1000)); }

SHEAF_CASE(fence, of_smaller_teams_waits_for_their_trees) {
  check_trees(s, s.world.split(s.rank() % 2), s.scaled(500));
  check_trees(s, s.world.split(s.rank() / 3), s.scaled(s.rank() / 3 % 2 == 0 ? 300 : 200));
}

SHEAF_CASE(fence, waits_for_continuations) { check_continuations(s, s.world, s.world, s.scaled(600)); }

SHEAF_CASE(fence, of_a_smaller_team_waits_for_continuations) {
  sheaf::team const part = s.world.split(s.rank() % 2);
  check_continuations(s, part, part, s.scaled(600));
}

SHEAF_CASE(fence, of_the_world_waits_for_continuations_of_smaller_teams) {
  check_continuations(s, s.world.split(s.rank() % 2), s.world, s.scaled(600));
}

SHEAF_CASE(fence, with_nothing_to_wait_for) {
  for (std::uint64_t i = 0; i < s.scaled(2000); ++i) sheaf::fence(s.world);
}
