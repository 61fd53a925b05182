// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Coroutines: a linked list whose nodes lie on all locations is walked by methods that call each other. Each waits for
/// the next node's answer without holding its location: lists longer than any limit of nested waits are no problem.
#include <cstdio>
#include <vector>

#include "sheaf/sheaf.hpp"

class list : public sheaf::distributed<list> {
 public:
  explicit list(sheaf::team const& on) : distributed(on) {}

  /// The sum of all values from node `at` on; the list's node number i is on location i modulo their number.
  sheaf::task<std::uint64_t> sum_from(std::uint64_t at, std::uint64_t length) {
    std::uint64_t const value = at * at;
    if (at + 1 == length) co_return value;
    std::uint64_t const rest = co_await ask<&list::sum_from>((at + 1) % members().size(), at + 1, length);
    co_return value + rest;
  }

  /// What two others say, asked at the same time.
  sheaf::task<bool> agree(std::uint64_t length) {
    auto const [a, b] =
        co_await sheaf::when_all(ask<&list::sum_from>(0, 0u, length), ask<&list::sum_from>(0, 0u, length));
    co_return a == b;
  }
};

int main() {
  return sheaf::run([](sheaf::team world) {
    list nodes(world);
    constexpr std::uint64_t length = 1000;
    bool right = true;
    if (world.rank() == 0) {
      std::uint64_t const sum = nodes.sync<&list::sum_from>(0, 0u, length);
      right = sum == (length - 1) * length * (2 * length - 1) / 6;
      right = right && nodes.agree(length).get();  // a coroutine of the program
      std::printf("the sum of %lu nodes is %lu\n", length, sum);
    }
    sheaf::fence(world);
    return right ? 0 : 1;
  });
}
