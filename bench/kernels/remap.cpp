// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// remap.*: the redistribution of ARMCI's Fig. 6, a(block, *) = b(*, block). Microseconds for one.
#include "harness/remap.hpp"
#include "sheaf/sheaf.hpp"
#include "sheaf/view.hpp"

using namespace sheaf_bench;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(21);
  auto const n = static_cast<std::size_t>(args.number("--size", 1024));
  return sheaf::run([&](sheaf::team world) {
    using sheaf::distribution;
    sheaf::distributed_array<double, 2> a(world, {n, n}, {distribution::block(), distribution::collapsed()});
    sheaf::distributed_array<double, 2> b(world, {n, n}, {distribution::collapsed(), distribution::block()});
    index_block const all(n, 0, 1), mine(n, world.rank(), world.size());
    int const each = repeats_of(n * n / world.size());
    auto const samples = sample(2, reps, [&](int round) {
      fill_matrix(b.own(), all, mine, n, round);
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      for (int i = 0; i < each; ++i) sheaf::remap(a, b);
      double const us = static_cast<double>(now_ns() - start) * 1e-3 / each;
      check(is_matrix(a.own(), mine, all, n, round), "the matrix has not arrived");
      return us;
    });
    if (world.rank() == 0) print_result("us", samples);
  });
}
