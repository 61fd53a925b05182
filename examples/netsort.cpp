// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Integers that never stay: each place of an array is an object that moves to a random location after each comparison
/// with a neighbour. They are called by name, and what has moved on is forgotten.
#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include "sheaf/rmi/migrating.hpp"
#include "sheaf/sheaf.hpp"

/// One place of the array.
struct place {
  std::uint64_t number;
  int value;

  /// Keeps the greater, and gives the lesser to the place before this.
  int exchange(int other) {
    int const lesser = std::min(value, other);
    value = std::max(value, other);
    return lesser;
  }
  int get() const { return value; }
};

int main() {
  return sheaf::run([](sheaf::team world) {
    constexpr std::uint64_t each = 5;
    std::uint64_t const size = each * world.size();
    std::mt19937 random(world.rank());

    sheaf::migrating<place> places(world);
    std::vector<sheaf::object_id> own, names;
    for (std::uint64_t i = 0; i < each; ++i)
      own.push_back(places.create({world.rank() * each + i, static_cast<int>(random() % 100)}));
    for (auto const& part : sheaf::all_gather(world, own)) names.insert(names.end(), part.begin(), part.end());

    for (std::uint64_t step = 0; step < size; ++step) {
      std::vector<std::pair<std::uint64_t, sheaf::future<int>>> asked;
      for (auto const id : places.ids_here()) {
        place const* const lower = places.find(id);  // null: ask() executes requests, and one has sent it on
        if (lower == nullptr || lower->number % 2 != step % 2 || lower->number + 1 == size) continue;
        std::uint64_t const number = lower->number;
        asked.emplace_back(number, places.ask<&place::exchange>(names[number + 1], lower->value));
      }
      for (auto& [lower, lesser] : asked) {
        int const value = lesser.get();
        places.find(names[lower])->value = value;
        places.move(names[lower], random() % world.size());
        places.move(names[lower + 1], random() % world.size());
      }
      sheaf::fence(world);
    }

    bool right = true;
    for (auto const id : places.ids_here()) {
      place const here = *places.find(id);
      if (here.number != 0) right = right && places.sync<&place::get>(names[here.number - 1]) <= here.value;
    }
    right = sheaf::all_reduce(world, right, [](bool a, bool b) { return a && b; });
    if (world.rank() == 0) std::printf("%lu integers are %ssorted\n", size, right ? "" : "not ");
    sheaf::fence(world);
    return right ? 0 : 1;
  });
}
