// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// A histogram whose bins are spread over all locations: one remote call per value, written as if each bin were near.
#include <cstdio>
#include <functional>
#include <vector>

#include "sheaf/sheaf.hpp"

class histogram : public sheaf::distributed<histogram> {
 public:
  histogram(sheaf::team const& on, std::uint64_t bins) : distributed(on), counts_(bins / on.size() + 1) {}

  void add(std::uint64_t bin) { ++counts_[bin]; }
  void count(std::uint64_t value) { async<&histogram::add>(value % members().size(), value / members().size()); }

  [[nodiscard]] std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (auto const n : counts_) sum += n;
    return sum;
  }

 private:
  std::vector<std::uint64_t> counts_;
};

int main() {
  return sheaf::run([](sheaf::team world) {
    constexpr std::uint64_t bins = 1 << 16, values = 1'000'000;
    histogram bars(world, bins);

    std::uint64_t random = world.rank() + 1;
    for (std::uint64_t i = 0; i < values; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      bars.count(random >> 48);
    }
    sheaf::fence(world);  // now all of them have been counted

    std::uint64_t const counted = sheaf::all_reduce(world, bars.total(), std::plus<>{});
    if (world.rank() == 0) std::printf("%lu values in %lu bins on %u locations\n", counted, bins, world.size());
    return counted == values * world.size() ? 0 : 1;
  });
}
