// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The smallest program: every location says who it is, in turn.
#include <cstdio>
#include <functional>

#include "sheaf/sheaf.hpp"

int main() {
  return sheaf::run([](sheaf::team world) {
    for (std::uint32_t turn = 0; turn < world.size(); ++turn) {
      if (turn == world.rank()) {
        std::printf("Hello from location %u of %u\n", world.rank(), world.size());
        std::fflush(stdout);
      }
      sheaf::barrier(world);
    }
    return sheaf::all_reduce(world, 1u, std::plus<>{}) == world.size() ? 0 : 1;
  });
}
