// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// view.gather/*: to(i) = from(at(i)) of distributed arrays. Milliseconds for one.
#include "harness/remap.hpp"
#include "sheaf/sheaf.hpp"
#include "sheaf/view.hpp"

using namespace sheaf_bench;

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(11);
  auto const n = static_cast<std::size_t>(args.number("--size", 4'000'000));
  return sheaf::run([&](sheaf::team world) {
    using array = sheaf::distributed_array<double, 1>;
    auto const how = sheaf::distribution::block();
    array to(world, {n}, {how}), from(world, {n}, {how});
    sheaf::distributed_array<std::int64_t, 1> at(world, {n}, {how});
    index_block const mine(n, world.rank(), world.size());
    std::ranges::copy(random_indices(mine, n), at.own().begin());
    for (std::size_t i = 0; i < mine.count; ++i) from.own()[i] = value_at(static_cast<std::int64_t>(mine.first + i));
    auto const samples = sample(1, reps, [&](int) {
      std::ranges::fill(to.own(), 0.0);
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      sheaf::gather(to, from, {at});
      double const ms = static_cast<double>(now_ns() - start) * 1e-6;
      for (std::size_t i = 0; i < mine.count; ++i) check(to.own()[i] == value_at(at.own()[i]), "a wrong value came");
      return ms;
    });
    if (world.rank() == 0) print_result("ms", samples);
  });
}
