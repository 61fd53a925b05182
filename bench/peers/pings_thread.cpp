// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of ARMI's Fig. 6 over threads: each ping is one entry of a ring that one thread fills and the other empties,
/// shown as soon as it is written; microseconds for 10,000 pings and a pong, and "points" for fewer.
#include <array>

#include "harness/pings.hpp"
#include "harness/threads.hpp"

namespace {

using namespace sheaf_bench;

constexpr std::uint64_t slots = 1024, asks_for_pong = 1, ends = 2;

/// An entry's low bits say what it is besides a ping.
class ring {
 public:
  void put(std::uint64_t entry) {
    while (written_ - seen_taken_ == slots) seen_taken_ = taken_.load(std::memory_order_acquire);
    entries_[written_++ % slots] = entry;
    shown_.store(written_, std::memory_order_release);
  }
  std::uint64_t take() {
    while (seen_shown_ == read_) {
      taken_.store(read_, std::memory_order_release);
      seen_shown_ = shown_.load(std::memory_order_acquire);
    }
    std::uint64_t const entry = entries_[read_++ % slots];
    if (read_ % (slots / 4) == 0) taken_.store(read_, std::memory_order_release);
    return entry;
  }

 private:
  alignas(128) std::atomic<std::uint64_t> shown_{0};
  std::uint64_t written_ = 0, seen_taken_ = 0;
  alignas(128) std::atomic<std::uint64_t> taken_{0};
  std::uint64_t read_ = 0, seen_shown_ = 0;
  alignas(128) std::array<std::uint64_t, slots> entries_{};
};

ring pings, pongs;

void answer() {
  std::uint64_t sum = 0;
  for (std::uint64_t entry = pings.take(); entry != ends; entry = pings.take()) {
    sum += 1;
    if (entry == asks_for_pong) pongs.put(sum);
  }
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  run_pinned(2, [&](int me) {
    if (me == 1) return answer();
    std::uint64_t sum = 0;
    std::vector<double> last;
    std::string const points = ping_curve(args.reps(15), last, [&](std::int64_t n) {
      sum += static_cast<std::uint64_t>(n);
      for (std::int64_t i = 1; i < n; ++i) pings.put(0);
      pings.put(asks_for_pong);
      check(pongs.take() == sum, "pings are lost");
    });
    pings.put(ends);
    print_result("us", last, points);
  });
}
