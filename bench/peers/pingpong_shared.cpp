// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of longer ping-pongs between threads: `--bytes` are copied into shared memory, a flag is raised, and the other
/// side copies them out; nanoseconds per round trip.
#include "harness/measure.hpp"
#include "harness/threads.hpp"

namespace {

using namespace sheaf_bench;
using block = std::vector<std::uint64_t>;

struct direction {
  explicit direction(std::size_t numbers) : shared(numbers) {}

  void send(block const& values, std::uint64_t round) {
    std::copy(values.begin(), values.end(), shared.begin());
    sent.store(round, std::memory_order_release);
  }
  void receive(block& values, std::uint64_t round) {
    while (sent.load(std::memory_order_acquire) != round) {
    }
    std::copy(shared.begin(), shared.end(), values.begin());
  }

  alignas(128) std::atomic<std::uint64_t> sent{0};
  alignas(128) block shared;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  auto const numbers = static_cast<std::size_t>(args.number("--bytes", 8)) / 8;
  check(numbers >= 1, "--bytes is at least 8");
  constexpr int warm_up = 2, blocks = 101;
  int const trips = trips_of(numbers * 8);
  direction there(numbers), back(numbers);
  run_pinned(2, [&](int me) {
    block values(numbers, 7);
    if (me == 1) {
      for (std::uint64_t i = 1; i <= static_cast<std::uint64_t>((warm_up + reps) * blocks * trips); ++i) {
        there.receive(values, i);
        values[0] *= 3;
        back.send(values, i);
      }
      return;
    }
    std::uint64_t round = 0;
    auto const trip = [&] {
      values[0] = ++round;
      there.send(values, round);
      back.receive(values, round);
      if (values[0] != round * 3) fail("a reply does not belong to its request");
    };
    print_result("ns", sample(warm_up, reps, [&](int) { return ns_each(blocks, trips, trip); }));
  });
}
