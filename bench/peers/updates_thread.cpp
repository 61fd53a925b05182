// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of async.thread: random 8-byte updates, aggregated by hand between threads that trade buffers by pointer.
#include "harness/threads.hpp"
#include "harness/updates.hpp"
#include "peers/parcels.hpp"
#include "peers/updates_apply.hpp"

namespace {

using namespace sheaf_bench;

using update_trader = trader<2048, 4>;

template <class Apply>
void issue(update_trader& t, splitmix64 next, std::int64_t updates, Apply const& apply) {
  for (std::int64_t i = 0; i < updates; ++i) {
    std::uint64_t const update = next();
    std::uint64_t const to = owner_of(update, t.count());
    if (t.put(to, update)) t.post(to, apply);
  }
  for (std::size_t d = 0; d < t.count(); ++d) t.post(d, apply);
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const count = static_cast<int>(args.number("--threads", 2)), reps = args.reps(7);
  check(count >= 1 && count <= static_cast<int>(most_threads), "--threads must be 1 to 16");
  std::int64_t const updates = args.number("--count", std::int64_t{1} << 24), bits = args.number("--bits", 20);
  constexpr int warm_up = 1;
  update_trader::lanes all(static_cast<std::size_t>(count));
  spin_barrier barrier(count);
  finish_line finished(all.count());
  run_pinned(count, [&](int me) {
    words block(block_words(bits, all.count()));
    update_trader t(all, me);
    auto const apply = [&](std::uint64_t const* items, std::size_t n) { apply_all(block, items, n); };
    auto const samples = sample(warm_up, reps, [&](int rep) {
      barrier.wait();
      std::int64_t const start = now_ns();
      issue(t, update_stream(me, rep), updates, apply);
      finished.cross(static_cast<std::size_t>(rep) + 1, [&] { t.serve(apply); });
      barrier.wait();
      return rate(updates, now_ns() - start);
    });
    check(undo_leaves_zeros(block, me, count, warm_up + reps, updates), "an update is lost, doubled or misplaced");
    barrier.wait();
    if (me == 0) print_result("M/s", samples);
  });
}
