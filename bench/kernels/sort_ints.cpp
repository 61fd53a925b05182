// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// sort.ints.*: random 32-bit integers, sheaf::sample_sort.
#include "harness/measure.hpp"
#include "sheaf/algorithm/sample_sort.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

void fill(std::vector<std::int32_t>& values, std::int64_t size, std::uint32_t rank, std::uint32_t count, int rep) {
  std::int64_t const from = size * rank / count, upto = size * (rank + 1) / count;
  splitmix64 next(static_cast<std::uint64_t>(rep) * 1000 + rank + 1);
  values.resize(static_cast<std::size_t>(upto - from));
  for (auto& v : values) v = static_cast<std::int32_t>(next() >> 32);
}

std::uint64_t digest(std::vector<std::int32_t> const& values) {
  std::uint64_t sum = 0;
  for (auto const v : values) sum += splitmix64(static_cast<std::uint32_t>(v))();
  return sum;
}

bool in_order(sheaf::team world, std::vector<std::int32_t> const& part) {
  bool good = std::is_sorted(part.begin(), part.end());
  std::vector<std::int32_t> const ends = part.empty() ? part : std::vector{part.front(), part.back()};
  std::vector<std::int32_t> row;
  for (auto const& e : sheaf::all_gather(world, ends)) row.insert(row.end(), e.begin(), e.end());
  return good && std::is_sorted(row.begin(), row.end());
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(5);
  std::int64_t const size = args.number("--size", 50'000'000);
  return sheaf::run([&](sheaf::team world) {
    auto const plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
    std::vector<std::int32_t> part, spare;  // as its peers, it allocates before the first measured run
    auto const samples = sample(1, reps, [&](int rep) {
      fill(part, size, world.rank(), world.size(), rep);
      std::uint64_t const before = sheaf::all_reduce(world, digest(part), plus);
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      sheaf::sample_sort(world, part, spare);
      double const seconds = static_cast<double>(now_ns() - start) * 1e-9;
      std::uint64_t const count = sheaf::all_reduce(world, std::uint64_t{part.size()}, plus);
      check(in_order(world, part), "not sorted");
      check(sheaf::all_reduce(world, digest(part), plus) == before && count == static_cast<std::uint64_t>(size),
            "elements are lost or changed");
      return seconds;
    });
    if (world.rank() == 0) print_result("s", samples);
  });
}
