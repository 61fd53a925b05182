// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// fence.*: an idle rmi_fence of the world.
#include "harness/measure.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  std::int64_t const fences = args.number("--count", 20'000);
  return sheaf::run(argc, argv, [&](sheaf::team world) {
    auto const samples = sample(1, reps, [&](int) {
      std::int64_t const start = now_ns();
      for (std::int64_t i = 0; i < fences; ++i) sheaf::rmi_fence(world);
      return static_cast<double>(now_ns() - start) / static_cast<double>(fences);
    });
    if (world.rank() == 0) print_result("ns", samples);
  });
}
