// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// message.*: random 8-byte updates, one typed message each, every location to all. With --unordered 1 the type has
/// buffers of its own; with `--sent_by` they are filled as that sending_threads says.
#include <string>

#include "harness/updates.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

template <class Type>
[[gnu::noinline]] void issue(Type& type, std::uint64_t locations, splitmix64 next, std::int64_t updates) {
  for (std::int64_t i = 0; i < updates; ++i) {
    std::uint64_t const update = next();
    type.send(owner_of(update, locations), update);
  }
}

template <class... Policy>
void measure(sheaf::team const& world, std::int64_t bits, std::int64_t updates, int reps) {
  constexpr int warm_up = 1;
  words block(block_words(bits, world.size()));
  sheaf::message_type<std::uint64_t, Policy...> type(world);
  auto const place = [table = block.data(), mask = block.mask()](std::uint64_t update) {
    return table + (update & mask);
  };
  type.set_handler([place](std::uint64_t update) noexcept { *place(update) ^= update; }, place);
  int const me = static_cast<int>(world.rank());
  auto const samples = sample(warm_up, reps, [&](int rep) {
    sheaf::barrier(world);
    std::int64_t const start = now_ns();
    sheaf::epoch(world, [&] { issue(type, world.size(), update_stream(me, rep), updates); });
    return rate(updates, now_ns() - start);
  });
  check(undo_leaves_zeros(block, me, static_cast<int>(world.size()), warm_up + reps, updates),
        "an update is lost, doubled or misplaced");
  sheaf::barrier(world);
  if (me == 0) print_result("M/s", samples);
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(7);
  std::int64_t const updates = args.number("--count", std::int64_t{1} << 24), bits = args.number("--bits", 20);
  bool const unordered = args.number("--unordered", 0) != 0;
  std::string const how = args.text("--sent_by", "");
  return sheaf::run([&](sheaf::team world) {
    using enum sheaf::sending_threads;
    if (how == "lock_free") return measure<sheaf::sent_by<lock_free>>(world, bits, updates, reps);
    if (how == "locked") return measure<sheaf::sent_by<locked>>(world, bits, updates, reps);
    if (how == "owner_alone") return measure<sheaf::sent_by<owner_alone>>(world, bits, updates, reps);
    check(how.empty(), "no such sending_threads");
    unordered ? measure<sheaf::unordered>(world, bits, updates, reps) : measure<>(world, bits, updates, reps);
  });
}
