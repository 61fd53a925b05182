// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// memory.fetch_add: two locations add to one word of the first, nanoseconds until both have added, per addition of
/// each.
#include "harness/measure.hpp"
#include "sheaf/memory.hpp"
#include "sheaf/sheaf.hpp"

int main(int argc, char** argv) {
  using namespace sheaf_bench;
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  std::int64_t const count = args.number("--count", 1'000'000);
  return sheaf::run([&](sheaf::team world) {
    check(world.size() == 2, "run it with two locations");
    sheaf::shared_array<std::uint64_t> words(world, 8);
    auto const word = words.at(0);
    constexpr int warm_up = 1;
    auto const samples = sample(warm_up, reps, [&](int) {
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      for (std::int64_t i = 0; i < count; ++i) sheaf::fetch_add(word, 1);
      sheaf::barrier(world);
      return static_cast<double>(now_ns() - start) / static_cast<double>(count);
    });
    if (world.rank() == 0) {
      check(words.own()[0] == static_cast<std::uint64_t>(2 * (warm_up + reps) * count), "an addition is lost");
      print_result("ns", samples);
    }
    sheaf::barrier(world);
  });
}
