// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// host.stream: location 0 sends vectors of --bytes to location 1, one async_rmi each, out of more memory than its
/// caches hold. GB/s of payload.
#include <numeric>
#include <vector>

#include "harness/measure.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

using block = std::vector<std::uint64_t>;

struct sink : sheaf::distributed<sink> {
  using distributed::distributed;
  void take(block const& one) { sum += one.front() + one.back(); }
  std::uint64_t sum = 0;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  auto const bytes = static_cast<std::size_t>(args.number("--bytes", std::int64_t{1} << 20));
  auto const count = static_cast<std::size_t>(args.number("--count", 512));
  int const reps = args.reps(7);
  check(bytes >= 8, "--bytes must be at least 8");
  return sheaf::run(argc, argv, [&](sheaf::team world) {
    check(world.size() == 2, "two locations are needed");
    sink all(world);
    std::vector<block> const from(world.rank() == 0 ? 64 : 0, block(bytes / 8, 1));
    constexpr int warm_up = 1;
    auto const samples = sample(warm_up, reps, [&](int) {
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      for (std::size_t i = 0; i < count && !from.empty(); ++i) all.async<&sink::take>(1, from[i % from.size()]);
      sheaf::rmi_fence(world);
      return static_cast<double>(count * bytes) / static_cast<double>(now_ns() - start);
    });
    auto const taken = static_cast<std::uint64_t>(warm_up + reps) * count;
    check(world.rank() == 0 || all.sum == 2 * taken, "a vector is lost or damaged");
    sheaf::barrier(world);
    if (world.rank() == 0) print_result("GB/s", samples);
  });
}
