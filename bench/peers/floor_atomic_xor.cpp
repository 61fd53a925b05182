// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Floor of the random-update and random-read rows: threads xor at random into one shared table with relaxed atomics.
#include <memory>

#include "harness/threads.hpp"
#include "harness/updates.hpp"

namespace {

using namespace sheaf_bench;

void hammer(words& table, splitmix64 next, std::int64_t updates) {
  for (std::int64_t i = 0; i < updates; ++i) {
    std::uint64_t const update = next();
    std::atomic_ref<std::uint64_t>(table[update & table.mask()]).fetch_xor(update, std::memory_order_relaxed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const count = static_cast<int>(args.number("--threads", 2)), reps = args.reps(5);
  std::int64_t const updates = args.number("--count", std::int64_t{1} << 23);
  words table(block_words(args.number("--bits", 20), 1));
  spin_barrier barrier(count);
  constexpr int warm_up = 1;
  run_pinned(count, [&](int me) {
    auto const samples = sample(warm_up, reps, [&](int rep) {
      barrier.wait();
      std::int64_t const start = now_ns();
      hammer(table, update_stream(me, rep), updates);
      barrier.wait();
      return rate(updates, now_ns() - start);
    });
    if (me != 0) return;
    for (int source = 1; source < count; ++source) {
      for (int rep = 0; rep < warm_up + reps; ++rep) hammer(table, update_stream(source, rep), updates);
    }
    check(undo_leaves_zeros(table, 0, 1, warm_up + reps, updates), "an update is lost");
    print_result("M/s", samples);
  });
}
