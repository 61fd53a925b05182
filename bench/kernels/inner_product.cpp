// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// inner_product/*: every location's part of a vector with itself, and the sum of what they found, on every location:
/// STAPL's p_inner_product, by all_reduce.
#include "harness/inner_product.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

class vector_part : public sheaf::distributed<vector_part> {
 public:
  vector_part(sheaf::team const& on, std::int64_t size)
      : distributed(on), part_(size, static_cast<int>(on.rank()), static_cast<int>(on.size())) {}

  double with_itself() { return inner_product(part_.values(), part_.values()); }

 private:
  part_of_vector part_;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(21);
  std::int64_t const size = args.number("--size", 40'000'000);
  double const expected = expected_inner_product(size);
  return sheaf::run([&](sheaf::team world) {
    vector_part mine(world, size);
    auto const samples = sample(2, reps, [&](int) {
      sheaf::barrier(world);
      std::int64_t const start = now_ns();
      double const sum = sheaf::all_reduce(world, mine.with_itself(), std::plus<>{});
      double const ms = static_cast<double>(now_ns() - start) * 1e-6;
      check(sum == expected, "a wrong sum");
      return ms;
    });
    if (world.rank() == 0) print_result("ms", samples);
  });
}
