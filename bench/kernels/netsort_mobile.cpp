// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// netsort/mobile: integers that move after each comparison. `--size` integers; `--network transposition` or batcher.
#include "kernels/netsort_mobile.hpp"

#include "harness/measure.hpp"

using namespace sheaf_bench;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  netsort_work work;
  work.size = static_cast<std::uint32_t>(args.number("--size", 1000));
  work.network = args.text("--network", "transposition") == "batcher" ? netsort_batcher : netsort_transposition;
  return sheaf::run([&](sheaf::team world) {
    netsort_work of = work;
    of.members = world.size();
    std::size_t entries = 0;
    auto const samples = sample(1, args.reps(5), [&](int rep) {
      of.seed = static_cast<std::uint64_t>(rep) + 1;
      netsort_places places(world, of);
      netsort_scatter(world, places);
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      netsort_run(world, places);
      double const ms = static_cast<double>(now_ns() - start) * 1e-6;
      check(netsort_is_sorted(world, places), "not sorted");
      entries = places.entries();
      return ms;
    });
    entries = sheaf::all_reduce(world, entries, [](std::size_t a, std::size_t b) { return a > b ? a : b; });
    if (world.rank() == 0) {
      print_result("ms", samples,
                   ", \"comparisons\": " + std::to_string(netsort_comparisons(work.network, work.size)) +
                       ", \"most_entries\": " + std::to_string(entries));
    }
  });
}
