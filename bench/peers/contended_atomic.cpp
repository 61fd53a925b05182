// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of memory.fetch_add: two threads on two cores add to one word, nanoseconds until both have added, per addition
/// of each.
#include <atomic>

#include "harness/threads.hpp"

int main(int argc, char** argv) {
  using namespace sheaf_bench;
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  std::int64_t const count = args.number("--count", 1'000'000);
  alignas(64) std::uint64_t word = 0;
  spin_barrier barrier(2);
  constexpr int warm_up = 1;
  run_pinned(2, [&](int me) {
    auto const samples = sample(warm_up, reps, [&](int) {
      barrier.wait();
      std::int64_t const start = now_ns();
      for (std::int64_t i = 0; i < count; ++i) std::atomic_ref<std::uint64_t>(word).fetch_add(1);
      barrier.wait();
      return static_cast<double>(now_ns() - start) / static_cast<double>(count);
    });
    if (me != 0) return;
    check(word == static_cast<std::uint64_t>(2 * (warm_up + reps) * count), "an addition is lost");
    print_result("ns", samples);
  });
}
