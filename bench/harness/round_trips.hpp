// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "harness/measure.hpp"

namespace sheaf_bench {

/// Prints nanoseconds per call of `add(n)`, which adds n to a counter elsewhere and returns its sum; each is checked.
template <class Add>
void print_round_trips(int reps, std::int64_t trips, Add add) {
  std::uint64_t expected = 0;
  auto const samples = sample(1, reps, [&](int) {
    std::int64_t const start = now_ns();
    for (std::int64_t i = 0; i < trips; ++i) {
      expected += static_cast<std::uint64_t>(i);
      check(add(static_cast<std::uint64_t>(i)) == expected, "a wrong answer");
    }
    return static_cast<double>(now_ns() - start) / static_cast<double>(trips);
  });
  print_result("ns", samples);
}

}  // namespace sheaf_bench
