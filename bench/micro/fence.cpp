// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// fence.*: an idle fence of the world, measured as its peer barrier_mpi measures: in blocks that grow until one
/// takes two milliseconds.
#include "harness/measure.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

/// How many fences last two milliseconds by rank 0's clock, the same number on every rank.
int block_size(sheaf::team const& world) {
  int each = 1;
  for (bool enough = false; !enough && each < 10'000;) {
    double const ns = ns_each(5, each, [&] { sheaf::fence(world); }) * each;
    enough = sheaf::broadcast(world, 0, ns) > 2e6;
    if (!enough) each *= 2;
  }
  return each;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    int const each = block_size(world);
    int const blocks = each > 8 ? 51 : 5;
    auto const samples =
        sample(1, args.reps(9), [&](int) { return ns_each(blocks, each, [&] { sheaf::fence(world); }); });
    if (world.rank() == 0) print_result("ns", samples);
  });
}
