// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// progress.helper: round trip of a blocking request of 8 bytes, whose method is declared concurrent, to a location
/// that computes without polling. Run with SHEAF_PROGRESS=helper.
#include <atomic>

#include "harness/round_trips.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

class counter : public sheaf::distributed<counter> {
 public:
  using distributed::distributed;
  std::uint64_t add(std::uint64_t n) { return sum_ += n; }
  void end() { ended_ = true; }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  std::atomic<std::uint64_t> sum_{0};
  std::atomic<bool> ended_{false};
};

/// What a location does that has no time for others.
double compute(counter const& until) {
  double x = 1;
  while (!until.ended()) {
    for (int i = 0; i < 1000; ++i) x = x * 0.999 + 0.5;
  }
  return x;
}

}  // namespace

template <>
inline constexpr bool sheaf::concurrent<&counter::add> = true;
template <>
inline constexpr bool sheaf::concurrent<&counter::end> = true;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  std::int64_t const trips = args.number("--count", 5'000);
  return sheaf::run([&](sheaf::team world) {
    check(world.size() == 2, "run it with two locations");
    check(sheaf::settings().progress == sheaf::progress_kind::helper, "run it with SHEAF_PROGRESS=helper");
    counter sums(world);
    sheaf::barrier(world);
    if (world.rank() == 1) {
      check(compute(sums) > 0, "a wrong result");
    } else {
      print_round_trips(reps, trips, [&](std::uint64_t n) { return sums.sync<&counter::add>(1, n); });
      sums.sync<&counter::end>(1);
    }
    sheaf::fence(world);
  });
}
