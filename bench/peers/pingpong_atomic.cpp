// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of sync.thread, and its floor: two pinned threads, one cache line per direction, nanoseconds per round
/// trip.
#include "harness/measure.hpp"
#include "harness/threads.hpp"

namespace {

using namespace sheaf_bench;

struct alignas(128) line {
  std::atomic<std::uint64_t> value{0};
};

line request, reply;

void answer(std::uint64_t last) {
  for (std::uint64_t i = 1; i <= last; ++i) {
    while (request.value.load(std::memory_order_acquire) != i) {
    }
    reply.value.store(i * 3, std::memory_order_release);
  }
}

void ask(std::uint64_t number) {
  request.value.store(number, std::memory_order_release);
  std::uint64_t got = 0;
  while ((got = reply.value.load(std::memory_order_acquire)) < number * 3) {
  }
  check(got == number * 3, "a reply does not belong to its request");
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  constexpr int warm_up = 2, blocks = 101, trips = 1000;
  run_pinned(2, [&](int me) {
    if (me == 1) return answer(static_cast<std::uint64_t>(warm_up + reps) * blocks * trips);
    std::uint64_t issued = 0;
    print_result("ns", sample(warm_up, reps, [&](int) { return ns_each(blocks, trips, [&] { ask(++issued); }); }));
  });
}
