// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of fence.thread: libgomp's barrier, nanoseconds each. It spins only under OMP_WAIT_POLICY=active, and is pinned
/// by OMP_PROC_BIND=true; libgomp reads both before main, so they come from outside.
#include <omp.h>

#include <atomic>

#include "harness/measure.hpp"

namespace {

using namespace sheaf_bench;

std::atomic<std::int64_t> arrivals{0};

void barrier() {
#pragma omp barrier
}

/// Every thread must see all arrivals of the others after each barrier.
void verify(int threads) {
  for (std::int64_t round = 1; round <= 1000; ++round) {
    arrivals.fetch_add(1, std::memory_order_relaxed);
    barrier();
    check(arrivals.load(std::memory_order_relaxed) == round * threads, "the barrier let a thread through early");
    barrier();
  }
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const threads = static_cast<int>(args.number("--threads", 2)), reps = args.reps(9);
#pragma omp parallel num_threads(threads)
  {
    verify(omp_get_num_threads());
    auto const samples = sample(2, reps, [&](int) { return ns_each(101, 1000, barrier); });
#pragma omp master
    print_result("ns", samples);
  }
}
