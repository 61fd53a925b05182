// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of sort.ints/thread: tbb::parallel_sort of random 32-bit keys, seconds.
#include <tbb/global_control.h>
#include <tbb/parallel_sort.h>

#include "harness/huge_array.hpp"
#include "harness/keys.hpp"

int main(int argc, char** argv) {
  using namespace sheaf_bench;
  arguments const args(argc, argv);
  auto const threads = static_cast<std::size_t>(args.number("--threads", 2));
  tbb::global_control const limit(tbb::global_control::max_allowed_parallelism, threads);
  huge_array<std::int32_t> keys(static_cast<std::size_t>(args.number("--size", 50'000'000)));
  auto const samples = sample(1, args.reps(3), [&](int rep) {
    std::span<std::int32_t> const all(keys.data(), keys.size());
    fill_keys(all, 0, rep);
    key_summary const before = summary_of(all);
    std::int64_t const start = now_ns();
    tbb::parallel_sort(keys.begin(), keys.end());
    double const seconds = seconds_since(start);
    check(sorted_the_same({before}, {summary_of(all)}), "the keys are not sorted");
    return seconds;
  });
  print_result("s", samples);
}
