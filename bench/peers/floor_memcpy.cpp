// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Floor of what copies: one thread copies blocks of --bytes through a buffer too large for its caches, in GB/s read.
#include <cstring>

#include "harness/threads.hpp"
#include "harness/updates.hpp"

int main(int argc, char** argv) {
  using namespace sheaf_bench;
  arguments const args(argc, argv);
  auto const bytes = static_cast<std::size_t>(args.number("--bytes", std::int64_t{256} << 20));
  check(bytes >= 8, "--bytes must be at least 8");
  words from(bytes / 8), to(bytes / 8);
  splitmix64 next(1);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = next();
  pin(0);
  auto const samples = sample(1, args.reps(9), [&](int) {
    std::int64_t const start = now_ns();
    std::memcpy(to.data(), from.data(), bytes / 8 * 8);
    return static_cast<double>(bytes) / static_cast<double>(now_ns() - start);
  });
  check(std::memcmp(from.data(), to.data(), bytes / 8 * 8) == 0, "the copy differs");
  print_result("GB/s", samples);
}
