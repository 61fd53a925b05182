// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Sample sort as in ARMI's Fig. 3, by hand: sample, choose splitters, send each element to its bucket by one request,
/// sort the buckets. (sheaf/algorithm/sample_sort.hpp does this for any input; here equal elements all go to one
/// bucket.)
#include <algorithm>
#include <cstdio>
#include <vector>

#include "sheaf/container/vector.hpp"
#include "sheaf/sheaf.hpp"

int main() {
  return sheaf::run([](sheaf::team world) {
    constexpr std::size_t each = 100'000, oversampling = 64;
    std::vector<int> input(each);
    std::uint64_t random = world.rank() + 1;
    for (int& value : input) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      value = static_cast<int>(random >> 33);
    }

    // Everybody's sample, sorted; every oversampling-th of it separates two buckets.
    std::vector<int> const mine(input.begin(), input.begin() + oversampling);
    std::vector<int> sample;
    for (auto const& one : sheaf::all_gather(world, mine)) sample.insert(sample.end(), one.begin(), one.end());
    std::sort(sample.begin(), sample.end());
    std::vector<int> splitters;
    for (std::uint32_t r = 1; r < world.size(); ++r) splitters.push_back(sample[r * oversampling]);

    // One request per element; it is pushed back at the location of its bucket.
    sheaf::vector<int> buckets(world);
    for (int const value : input) {
      auto const dest = std::upper_bound(splitters.begin(), splitters.end(), value) - splitters.begin();
      buckets.async<&sheaf::vector<int>::push_back>(static_cast<std::uint64_t>(dest), value);
    }
    sheaf::fence(world);

    std::sort(buckets.local().begin(), buckets.local().end());
    buckets.update_bounds();

    // In order within each bucket, and from each to the next; nothing lost.
    bool right =
        std::is_sorted(buckets.local().begin(), buckets.local().end()) && buckets.size() == each * world.size();
    std::uint64_t const first = buckets.first_index();
    if (first != 0 && buckets.local_size() != 0) right = right && buckets.get(first - 1) <= buckets.local().front();
    sheaf::fence(world);
    std::printf("location %u has %zu of %lu elements\n", world.rank(), buckets.local_size(), buckets.size());
    return right ? 0 : 1;
  });
}
