// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// sync_rmi.*: round trip of a blocking request of 8 bytes with an answer of 8 bytes, to the other of two locations.
#include "harness/measure.hpp"
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
  return sheaf::run(argc, argv, [&](sheaf::team world) {
    check(world.size() == 2, "run it with two locations");
    counter sums(world);
    if (world.rank() == 0) {
      std::uint64_t expected = 0;
      auto const samples = sample(1, reps, [&](int) {
        std::int64_t const start = now_ns();
        for (std::int64_t i = 0; i < trips; ++i) {
          expected += static_cast<std::uint64_t>(i);
          check(sums.sync<&counter::add>(1, static_cast<std::uint64_t>(i)) == expected, "a wrong answer");
        }
        return static_cast<double>(now_ns() - start) / static_cast<double>(trips);
      });
      print_result("ns", samples);
    }
    sheaf::rmi_fence(world);
  });
}
