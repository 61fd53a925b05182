// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// async_rmi.gather/*: random 8-byte reads with reply, each a request of its own: into a reply_window, or as a future each.
#include "harness/reads.hpp"
#include "micro/table.hpp"

using namespace sheaf_bench;

namespace {

constexpr std::size_t window_slots = std::size_t{1} << 14;

/// Two windows in turn: one fills while the other's replies arrive.
void read_batches(table& all, sheaf::team world, splitmix64 next, words& out) {
  sheaf::reply_window<std::uint64_t> first(world, window_slots), second(world, window_slots);
  sheaf::reply_window<std::uint64_t>* window = &first;
  std::size_t const batches = (out.size() + window_slots - 1) / window_slots;
  auto const collect = [&](sheaf::reply_window<std::uint64_t>& from, std::size_t batch) {
    from.wait();
    std::size_t const begin = batch * window_slots, end = std::min(begin + window_slots, out.size());
    for (std::size_t i = begin; i < end; ++i) out[i] = from[static_cast<std::uint32_t>(i - begin)];
  };
  for (std::size_t batch = 0; batch < batches; ++batch) {
    std::size_t const begin = batch * window_slots, end = std::min(begin + window_slots, out.size());
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t const read = next();
      window->request<&table::read>(static_cast<std::uint32_t>(i - begin), owner_of(read, world.size()), all.handle(), read);
    }
    window = window == &first ? &second : &first;
    if (batch > 0) collect(*window, batch - 1);
  }
  collect(window == &first ? second : first, batches - 1);
}

void read_futures(table& all, sheaf::team world, splitmix64 next, words& out) {
  constexpr std::size_t ahead = 4096;
  std::vector<sheaf::future<std::uint64_t>> pending(ahead);
  for (std::size_t i = 0; i < out.size() + ahead; ++i) {
    auto& slot = pending[i % ahead];
    if (i >= ahead) out[i - ahead] = slot.get();
    if (i >= out.size()) continue;
    std::uint64_t const read = next();
    slot = all.opaque<&table::read>(owner_of(read, world.size()), read);
  }
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(7);
  std::int64_t const reads = args.number("--count", std::int64_t{1} << 22), bits = args.number("--bits", 20);
  bool const batch = args.text("--mode", "batch") == "batch";
  return sheaf::run(argc, argv, [&](sheaf::team world) {
    table all(world, bits);
    int const me = static_cast<int>(world.rank());
    fill_block(all.block(), me);
    words out(static_cast<std::size_t>(reads));
    auto const samples = sample(1, reps, [&](int rep) {
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      (batch ? read_batches : read_futures)(all, world, update_stream(me, rep), out);
      sheaf::rmi_fence(world);
      std::int64_t const ns = now_ns() - start;
      check(answers_are_right(out, all.block().mask(), me, static_cast<int>(world.size()), rep),
            "an answer is wrong or in the wrong place");
      return rate(reads, ns);
    });
    if (me == 0) print_result("M/s", samples);
  });
}
