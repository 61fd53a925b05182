// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// host.stream: location 0 sends --pieces vectors of --piece bytes to location 1, one async each, more than caches
/// hold, and again. With --view they are read where they arrive. GB/s of payload.
#include "harness/pieces.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

struct sink : sheaf::distributed<sink> {
  sink(sheaf::team const& on, piece_set const& of) : distributed(on), set(of) {}
  void take(piece const& one) { look_at(one.data(), one.size()); }
  void view(sheaf::lent<std::uint64_t> const& one) { look_at(one.data(), one.size()); }
  void look_at(std::uint64_t const* words, std::size_t size) {
    check(set.is(words, size, taken++ % set.count, wholly), "a vector is lost, damaged or in another's place");
  }

  piece_set const& set;
  std::size_t taken = 0;
  bool wholly = true;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  piece_set const set(args);
  bool const view = args.number("--view", 0) != 0;
  int const reps = args.reps(7);
  return sheaf::run([&](sheaf::team world) {
    check(world.size() == 2, "two locations are needed");
    sink all(world, set);
    std::vector<piece> const from = world.rank() == 0 ? set.make_all() : std::vector<piece>();
    constexpr int warm_up = 2;  // in which all words are looked at
    std::size_t const count = 2 * set.count;
    auto const samples = sample(warm_up, reps, [&](int rep) {
      all.wholly = rep < warm_up;
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      for (std::size_t i = 0; i < count && !from.empty(); ++i) {
        piece const& next = from[i % set.count];
        view ? all.async<&sink::view>(1, next) : all.async<&sink::take>(1, next);
      }
      sheaf::fence(world);
      return static_cast<double>(count * set.bytes) / static_cast<double>(now_ns() - start);
    });
    check(world.rank() == 0 || all.taken == static_cast<std::size_t>(warm_up + reps) * count, "a vector is lost");
    sheaf::barrier(world);
    if (world.rank() == 0) print_result("GB/s", samples);
  });
}
