// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of progress.helper: two threads that wake each other by condition variables, nanoseconds per round trip.
#include <condition_variable>
#include <mutex>

#include "harness/measure.hpp"
#include "harness/threads.hpp"

namespace {

using namespace sheaf_bench;

/// A value that one thread sets and the other sleeps for.
class mailbox {
 public:
  void put(std::uint64_t value) {
    {
      std::lock_guard const lock(mutex_);
      value_ = value;
    }
    changed_.notify_one();
  }
  void await(std::uint64_t value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return value_ == value; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t value_ = 0;
};

mailbox request, reply;

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  auto const trips = static_cast<std::uint64_t>(args.number("--count", 5'000));
  constexpr int warm_up = 1;
  run_pinned(2, [&](int me) {
    std::uint64_t last = 0;
    if (me == 1) {
      for (std::uint64_t left = static_cast<std::uint64_t>(warm_up + reps) * trips; left != 0; --left) {
        request.await(++last);
        reply.put(last);
      }
      return;
    }
    print_result("ns", sample(warm_up, reps, [&](int) {
                   std::int64_t const start = now_ns();
                   for (std::uint64_t i = 0; i < trips; ++i) {
                     request.put(++last);
                     reply.await(last);
                   }
                   return static_cast<double>(now_ns() - start) / static_cast<double>(trips);
                 }));
  });
}
