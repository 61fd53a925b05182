// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <cstdio>

#include "sheaf/sheaf.hpp"

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void add(unsigned from) { sum += from + 1; }
  unsigned sum = 0;
};

int main() {
  return sheaf::run([](sheaf::team world) {
    counter all(world);
    for (unsigned to = 0; to < world.size(); ++to) all.async<&counter::add>(to, world.rank());
    sheaf::fence(world);
    unsigned const expected = world.size() * (world.size() + 1) / 2;
    if (world.rank() == 0 && all.sum == expected)
      std::printf("consumer of sheaf %s on %u locations\n", sheaf::version(), world.size());
  });
}
