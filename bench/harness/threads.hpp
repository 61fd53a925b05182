// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What the peers made of plain threads share: pinned threads and a barrier that spins.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "harness/measure.hpp"

namespace sheaf_bench {

/// What a waiting loop calls each time round: it spins, and yields after a while, so that a busy machine recovers.
class patience {
 public:
  void spend() {
    if (++rounds_ > 10'000) std::this_thread::yield();
  }

 private:
  int rounds_ = 0;
};

/// Runs `body(0)` … `body(count - 1)`, each on a thread of its own bound to a core of its own, and waits for all.
template <class Body>
void run_pinned(int count, Body&& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([i, &body] {
      pin(i);
      body(i);
    });
  }
  for (std::thread& t : threads) t.join();
}

/// A central barrier around repetitions, not one to measure.
class spin_barrier {
 public:
  explicit spin_barrier(int count) : count_(count) {}

  void wait() {
    int const generation = generation_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_) {
      arrived_.store(0, std::memory_order_relaxed);
      generation_.store(generation + 1, std::memory_order_release);
      return;
    }
    for (patience left; generation_.load(std::memory_order_acquire) == generation;) left.spend();
  }

 private:
  int const count_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<int> generation_{0};
};

}  // namespace sheaf_bench
