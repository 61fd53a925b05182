// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Floor of the integer sorting rows: Highway's vqsort, seconds. With --threads N each thread sorts its own N-th of the
/// keys, at the same time as the others and with nothing to exchange.
#include <hwy/contrib/sort/vqsort.h>

#include "harness/keys.hpp"
#include "harness/threads.hpp"

int main(int argc, char** argv) {
  using namespace sheaf_bench;
  arguments const args(argc, argv);
  int const count = static_cast<int>(args.number("--threads", 1));
  auto const size = static_cast<std::size_t>(args.number("--size", 50'000'000));
  spin_barrier barrier(count);
  run_pinned(count, [&](int me) {
    std::vector<std::int32_t> keys(share_of(size, static_cast<std::size_t>(me), static_cast<std::size_t>(count)));
    auto const samples = sample(1, args.reps(5), [&](int rep) {
      fill_keys(keys, me, rep);
      key_summary const before = summary_of(keys);
      barrier.wait();
      std::int64_t const start = now_ns();
      hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending());
      barrier.wait();
      double const seconds = seconds_since(start);
      check(sorted_the_same({before}, {summary_of(keys)}), "the keys are not sorted");
      return seconds;
    });
    if (me == 0) print_result("s", samples);
  });
}
