// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// epoch.busy: nanoseconds from the last handler of an epoch to its end, on the location that ran it. Location 0 starts
/// a chain of `--hops` messages that goes round, and records when each one is handled; so the last handler's time is
/// known to whoever ran it. `--flat 1` declares that handlers do not nest; then every message is sent by the program.
#include "harness/measure.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  auto const hops = static_cast<std::uint32_t>(args.number("--hops", 8));
  bool const flat = args.number("--flat", 0) != 0;
  return sheaf::run([&](sheaf::team world) {
    std::int64_t last = 0;
    std::uint32_t const next = (world.rank() + 1) % world.size();
    sheaf::message_type<std::uint32_t> hop(world, [&](std::uint32_t left) {
      last = now_ns();
      if (left != 0) hop.send(next, left - 1);
    });
    sheaf::detection_request const how(world, flat ? sheaf::nesting_depth(0) : sheaf::detection{});
    auto const samples = sample(2, args.reps(9), [&](int) {
      std::vector<double> times;
      for (int i = 0; i < 2000; ++i) {
        last = 0;
        sheaf::epoch(world, [&] {
          if (flat || world.rank() == 0) hop.send(next, flat ? 0 : hops);
        });
        std::int64_t const now = now_ns();
        std::int64_t const latest =
            sheaf::all_reduce(world, last, [](std::int64_t a, std::int64_t b) { return a > b ? a : b; });
        if (latest == last) times.push_back(static_cast<double>(now - last));
      }
      check(!times.empty() || world.rank() != 0 || !flat, "no handler ran here");
      return times.empty() ? 0.0 : median(times);
    });
    bool const mine = median(samples) != 0;
    std::uint64_t const speaker = sheaf::all_reduce(world, mine ? std::uint64_t{world.rank()} : ~std::uint64_t{0},
                                                    [](std::uint64_t a, std::uint64_t b) { return a < b ? a : b; });
    if (world.rank() == speaker) print_result("ns", samples);
  });
}
