// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Floor of what copies: one thread copies --pieces vectors of --piece bytes into as many others, more than its caches
/// hold, in GB/s read.
#include <cstring>

#include "harness/pieces.hpp"
#include "harness/threads.hpp"

int main(int argc, char** argv) {
  using namespace sheaf_bench;
  arguments const args(argc, argv);
  piece_set const set(args);
  pin(0);
  std::vector<piece> const from = set.make_all();
  std::vector<piece> to(set.count, piece(set.bytes / 8));
  auto const samples = sample(1, args.reps(9), [&](int) {
    std::int64_t const start = now_ns();
    for (std::size_t i = 0; i < set.count; ++i) std::memcpy(to[i].data(), from[i].data(), set.bytes);
    return static_cast<double>(set.count * set.bytes) / static_cast<double>(now_ns() - start);
  });
  for (std::size_t i = 0; i < set.count; ++i) check(set.is(to[i].data(), to[i].size(), i, true), "a copy differs");
  print_result("GB/s", samples);
}
