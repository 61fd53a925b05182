// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// A parallel task: an algorithm as a class whose execute() runs on every member of a team. This one is the sample sort
/// of the ARMI paper (Fig. 3), which sends each element to its bucket by itself.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#include "sheaf/container/vector.hpp"
#include "sheaf/sheaf.hpp"

struct p_sort : sheaf::parallel_task {
  std::vector<int> input;
  std::vector<int> sorted;
  explicit p_sort(std::vector<int> numbers) : input(std::move(numbers)) {}

  void execute() {
    std::uint32_t const p = members().size(), id = rank();
    sheaf::vector<int> samples(members(), p);
    sheaf::vector<int> buckets(members());  // one per member
    samples.set(id, input[input.size() / 2]);
    sheaf::fence(members());

    std::vector<int> splitters = samples.copy_to_local();
    std::sort(splitters.begin(), splitters.end());
    auto const last = splitters.end() - 1;
    for (int const element : input) {
      auto const dest =
          static_cast<std::uint64_t>(std::lower_bound(splitters.begin(), last, element) - splitters.begin());
      buckets.async<&sheaf::vector<int>::push_back>(dest, element);
    }
    sheaf::fence(members());

    std::sort(buckets.local().begin(), buckets.local().end());
    sorted = std::move(buckets.local());
    sheaf::fence(members());  // nobody reads a sample any more
  }
};

int main() {
  return sheaf::run([](sheaf::team world) {
    std::mt19937 random(world.rank() + 1);
    std::vector<int> numbers(10'000);
    for (int& n : numbers) n = static_cast<int>(random() % 1'000'000);

    p_sort sort(numbers);
    sheaf::execute(sort);

    // Sorted here, and from one location to the next; nothing is lost.
    bool right = std::is_sorted(sort.sorted.begin(), sort.sorted.end());
    auto const ends = sheaf::all_gather(
        world, sort.sorted.empty() ? std::vector<int>{} : std::vector{sort.sorted.front(), sort.sorted.back()});
    int before = -1;
    for (auto const& e : ends) {
      if (e.empty()) continue;
      right = right && before <= e[0];
      before = e[1];
    }
    std::uint64_t const here = sort.sorted.size();
    right = right && sheaf::all_reduce(world, here, std::plus<>{}) == 10'000ULL * world.size();
    if (world.rank() == 0) std::printf("%s\n", right ? "sorted" : "not sorted");
    return right ? 0 : 1;
  });
}
