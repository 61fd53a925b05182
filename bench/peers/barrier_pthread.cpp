// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The barrier of POSIX threads, which sleeps; nanoseconds each, for the fences of the papers' figures.
#include <pthread.h>

#include "harness/measure.hpp"
#include "harness/threads.hpp"

int main(int argc, char** argv) {
  using namespace sheaf_bench;
  arguments const args(argc, argv);
  int const threads = static_cast<int>(args.number("--threads", 2)), reps = args.reps(9);
  check(threads >= 1, "--threads is at least 1");
  pthread_barrier_t meeting;
  pthread_barrier_init(&meeting, nullptr, static_cast<unsigned>(threads));
  std::atomic<std::int64_t> arrivals{0};
  run_pinned(threads, [&](int me) {
    std::int64_t round = 0;
    auto const meet = [&] { pthread_barrier_wait(&meeting); };
    auto const verify = [&] {
      ++round;
      arrivals.fetch_add(1, std::memory_order_relaxed);
      meet();
      check(arrivals.load(std::memory_order_relaxed) == round * threads, "the barrier let a thread through early");
      meet();
    };
    for (int i = 0; i < 100; ++i) verify();
    auto const samples = sample(1, reps, [&](int) { return ns_each(21, 50, meet); });
    if (me == 0) print_result("ns", samples);
  });
  pthread_barrier_destroy(&meeting);
}
