// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of broadcast.thread: pinned threads that pass 8 bytes down a binary tree by stores, nanoseconds per broadcast.
/// Each is from the next root, which sends on what it was sent.
#include "harness/measure.hpp"
#include "harness/threads.hpp"

namespace {

using namespace sheaf_bench;

constexpr int most_threads = 64;

/// Where one thread gets the value of one round. A thread is root once in as many rounds as there are threads, so that
/// nobody is ahead of it by more; so many slots are enough.
struct alignas(128) slot {
  std::atomic<std::uint64_t> round{0};
  std::uint64_t value = 0;
};

struct inbox {
  slot slots[most_threads];
};

class tree {
 public:
  tree(int threads, int me) : threads_(threads), me_(me) {}

  /// The value of the next round, on every thread.
  std::uint64_t next(std::uint64_t own) {
    ++round_;
    int const place = static_cast<int>((static_cast<std::uint64_t>(me_) + round_ * (threads_ - 1)) % threads_);
    if (place != 0) {
      slot const& mine = at(me_);
      while (mine.round.load(std::memory_order_acquire) != round_) {
      }
      own = mine.value;
    }
    for (int child = 2 * place + 1; child <= 2 * place + 2 && child < threads_; ++child) {
      slot& theirs = at(static_cast<int>((static_cast<std::uint64_t>(child) + round_) % threads_));
      theirs.value = own;
      theirs.round.store(round_, std::memory_order_release);
    }
    return own;
  }
  std::uint64_t round() const { return round_; }

 private:
  slot& at(int thread) const { return inboxes_[thread].slots[round_ % static_cast<std::uint64_t>(threads_)]; }

  static inline inbox inboxes_[most_threads];
  int const threads_, me_;
  std::uint64_t round_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9), threads = static_cast<int>(args.number("--threads", 2));
  check(threads >= 1 && threads <= most_threads, "--threads is 1 to 64");
  run_pinned(threads, [&](int me) {
    tree mine(threads, me);
    std::uint64_t last = 0;
    auto const next = [&] {
      last = mine.next(last + 1);
      if (last != mine.round()) fail("a value is lost or doubled");
    };
    auto const samples = sample(2, reps, [&](int) { return ns_each(101, 1000, next); });
    if (me == 0) print_result("ns", samples);
  });
}
