// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// reduce.*: nanoseconds per collective reduce_rmi of 8 bytes to all locations: a method on each, and the sum of what
/// they returned. `--form one_sided` measures reduce_rmi from location 0, which waits for each.
#include "harness/measure.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

class share : public sheaf::distributed<share> {
 public:
  using distributed::distributed;
  std::uint64_t of(std::uint64_t round) { return round * (rank() + 1); }
};

constexpr auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };

void expect(std::uint64_t sum, std::uint64_t round, std::uint64_t n) {
  if (sum != round * n * (n + 1) / 2) fail("a wrong sum");
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  bool const alone = args.text("--form", "collective") == "one_sided";
  return sheaf::run([&](sheaf::team world) {
    share here(world);
    std::uint64_t round = 0;
    auto const together = [&] {
      ++round;
      expect(sheaf::all_reduce(world, here.of(round), plus), round, world.size());
    };
    auto const ask = [&] {
      ++round;
      expect(here.reduce<&share::of>(sheaf::to_all, plus, round).get(), round, world.size());
    };
    if (!alone || world.rank() == 0) {
      auto const samples =
          sample(2, reps, [&](int) { return alone ? ns_each(101, 200, ask) : ns_each(101, 200, together); });
      if (world.rank() == 0) print_result("ns", samples);
    }
    sheaf::fence(world);
  });
}
