// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// async.*: random 8-byte updates, one async each, every location to all; with --pointer 1 through a pointer to
/// the method, which the compiler does not know. Calls are bound once for the loop; with --plain 1 each resolves its
/// object, and its method. With --unnamed 1 the pointer is to a method that no call here names at compile time. With
/// --bare 1 the method has no companion that says what to prefetch, and the call is plain: the README's spelling. With
/// --total 1 the rate is that of all locations together.
#include "micro/table.hpp"

using namespace sheaf_bench;

namespace {

using update_method = void (table::*)(std::uint64_t);

template <class Apply>
[[gnu::noinline]] void issue(Apply apply, std::uint64_t locations, splitmix64 next, std::int64_t updates) {
  for (std::int64_t i = 0; i < updates; ++i) {
    std::uint64_t const update = next();
    apply(owner_of(update, locations), update);
  }
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(7);
  std::int64_t const updates = args.number("--count", std::int64_t{1} << 24), bits = args.number("--bits", 20);
  bool const by_pointer = args.number("--pointer", 0) != 0, plain = args.number("--plain", 0) != 0;
  update_method const volatile chosen = args.number("--unnamed", 0) != 0 ? &table::update_unnamed : &table::update;
  bool const bare = args.number("--bare", 0) != 0, total = args.number("--total", 0) != 0;
  constexpr int warm_up = 1;
  return sheaf::run([&](sheaf::team world) {
    table all(world, bits);
    int const me = static_cast<int>(world.rank());
    auto const samples = sample(warm_up, reps, [&](int rep) {
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      splitmix64 const stream = update_stream(me, rep);
      if (bare) {
        issue([&](std::uint64_t dest, std::uint64_t update) { all.async<&table::update_bare>(dest, update); },
              all.members().size(), stream, updates);
      } else if (plain && by_pointer) {
        update_method const method = chosen;
        issue([&](std::uint64_t dest, std::uint64_t update) { all.async(dest, method, update); }, all.members().size(),
              stream, updates);
      } else if (plain) {
        issue([&](std::uint64_t dest, std::uint64_t update) { all.async<&table::update>(dest, update); },
              all.members().size(), stream, updates);
      } else if (by_pointer) {
        issue(all.bind(update_method(chosen)), all.members().size(), stream, updates);
      } else {
        issue(all.bind<&table::update>(), all.members().size(), stream, updates);
      }
      sheaf::fence(world);
      return rate(updates, now_ns() - start) * (total ? static_cast<double>(world.size()) : 1.0);
    });
    check(undo_leaves_zeros(all.block(), me, static_cast<int>(world.size()), warm_up + reps, updates),
          "an update is lost, doubled or misplaced");
    sheaf::barrier(world);
    if (me == 0) print_result("M/s", samples);
  });
}
