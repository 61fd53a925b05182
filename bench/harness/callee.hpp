// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What is called in rmi.local and in ARMI's Table 1, and how: a method that the compiler may not inline, since a call
/// of next to nothing would vanish otherwise.
#pragma once

#include <cstdint>

#include "harness/measure.hpp"

namespace sheaf_bench {

class callee {
 public:
  [[gnu::noipa]] void take(std::uint64_t n) { sum_ += n; }
  [[gnu::noipa]] std::uint64_t answer(std::uint64_t n) { return sum_ += n; }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

/// Samples of `calls(count)`, nanoseconds per call; each must add 1 to `sum()` so many times. Blocks are shorter than a
/// slice of the scheduler.
template <class Calls, class Sum>
std::vector<double> sample_calls(arguments const& args, std::int64_t count, Calls&& calls, Sum&& sum) {
  constexpr int blocks = 51;
  return sample(2, args.reps(9), [&](int) {
    std::uint64_t const before = sum();
    double const ns = ns_each(blocks, 1, [&] { calls(count); }) / static_cast<double>(count);
    check(sum() == before + blocks * static_cast<std::uint64_t>(count), "a call is lost or doubled");
    return ns;
  });
}

}  // namespace sheaf_bench
