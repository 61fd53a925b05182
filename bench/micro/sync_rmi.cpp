// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// sync.*: round trip of a blocking request of 8 bytes with an answer of 8 bytes, to the other of two locations.
#include "harness/round_trips.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

class counter : public sheaf::distributed<counter> {
 public:
  using distributed::distributed;
  std::uint64_t add(std::uint64_t n) { return sum_ += n; }

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  std::int64_t const trips = args.number("--count", 200'000);
  return sheaf::run([&](sheaf::team world) {
    check(world.size() == 2, "run it with two locations");
    counter sums(world);
    if (world.rank() == 0) {
      print_round_trips(reps, trips, [&](std::uint64_t n) { return sums.sync<&counter::add>(1, n); });
    }
    sheaf::fence(world);
  });
}
