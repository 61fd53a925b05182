// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// async.gather/*: random 8-byte reads with reply, each a request of its own: into a reply_window, or as a future
/// each.
#include "harness/reads.hpp"
#include "micro/table.hpp"

using namespace sheaf_bench;

namespace {

constexpr std::size_t window_slots = std::size_t{1} << 14;

using window = sheaf::reply_window<std::uint64_t>;

[[gnu::noinline]] void ask(table const& all, window& answers, splitmix64& stream, std::uint32_t count) {
  std::uint64_t const locations = all.members().size();
  splitmix64 next = stream;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t const read = next();
    all.ask_into<&table::read>(owner_of(read, locations), answers, i, read);
  }
  stream = next;
}

/// Two windows in turn: one fills while the other's replies arrive.
void read_batches(table& all, sheaf::team world, splitmix64 next, words& out) {
  window first(world, window_slots), second(world, window_slots);
  std::size_t const batches = (out.size() + window_slots - 1) / window_slots;
  auto const of_batch = [&](std::size_t batch) -> window& { return batch % 2 == 0 ? first : second; };
  auto const size_of_batch = [&](std::size_t batch) {
    return std::min(window_slots, out.size() - batch * window_slots);
  };
  auto const collect = [&](std::size_t batch) {
    window& from = of_batch(batch);
    from.wait();
    std::copy_n(&from[0], size_of_batch(batch), out.data() + batch * window_slots);
  };
  for (std::size_t batch = 0; batch < batches; ++batch) {
    ask(all, of_batch(batch), next, static_cast<std::uint32_t>(size_of_batch(batch)));
    if (batch > 0) collect(batch - 1);
  }
  collect(batches - 1);
}

[[gnu::noinline]] void read_futures(table& all, sheaf::team world, splitmix64 next, words& out) {
  constexpr std::size_t ahead = 4096;
  std::uint64_t const locations = world.size();
  std::vector<sheaf::future<std::uint64_t>> pending(ahead);
  for (std::size_t i = 0; i < out.size() + ahead; ++i) {
    auto& slot = pending[i % ahead];
    if (i >= ahead) out[i - ahead] = slot.get();
    if (i >= out.size()) continue;
    std::uint64_t const read = next();
    slot = all.ask<&table::read>(owner_of(read, locations), read);
  }
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(7);
  std::int64_t const reads = args.number("--count", std::int64_t{1} << 22), bits = args.number("--bits", 20);
  bool const batch = args.text("--mode", "batch") == "batch";
  return sheaf::run([&](sheaf::team world) {
    table all(world, bits);
    int const me = static_cast<int>(world.rank());
    fill_block(all.block(), me);
    words out(static_cast<std::size_t>(reads));
    auto const samples = sample(1, reps, [&](int rep) {
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      (batch ? read_batches : read_futures)(all, world, update_stream(me, rep), out);
      sheaf::fence(world);
      std::int64_t const ns = now_ns() - start;
      check(answers_are_right(out, all.block().mask(), me, static_cast<int>(world.size()), rep),
            "an answer is wrong or in the wrong place");
      return rate(reads, ns);
    });
    if (me == 0) print_result("M/s", samples);
  });
}
