// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// message.parallel: a handler of about 1 us that several threads may run at once. One location sends to itself; with
/// SHEAF_PROGRESS=helper it has a second thread.
#include <atomic>

#include "harness/updates.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

std::uint64_t worked(std::uint64_t state) {
  for (int i = 0; i < 830; ++i) state = (state ^ state >> 29U) * 0xbf58476d1ce4e5b9U;
  return state;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  std::int64_t const count = args.number("--count", 100'000);
  return sheaf::run([&](sheaf::team world) {
    std::atomic<std::uint64_t> sum{0};
    sheaf::message_type<std::uint64_t, sheaf::parallel<>> work(
        world, [&](std::uint64_t v) noexcept { sum.fetch_add(worked(v) & 1U, std::memory_order_relaxed); });
    std::uint64_t expected = 0;
    for (std::int64_t i = 0; i < count; ++i) expected += worked(static_cast<std::uint64_t>(i)) & 1U;
    int reps = 0;
    auto const samples = sample(1, args.reps(7), [&](int) {
      ++reps;
      std::int64_t const start = now_ns();
      sheaf::epoch(world, [&] {
        for (std::int64_t i = 0; i < count; ++i) work.send(0, static_cast<std::uint64_t>(i));
      });
      return rate(count, now_ns() - start);
    });
    check(sum == expected * static_cast<std::uint64_t>(reps), "a message is lost or doubled");
    print_result("M/s", samples);
  });
}
