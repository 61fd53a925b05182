// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// jacobi/*: ARMI's Fig. 10. Every location has a strip and gives its outer rows to the neighbours by async;
/// milliseconds for all iterations. One program for threads, MPI and both together.
#include "harness/jacobi.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

using values = std::vector<double>;

class strip : public sheaf::distributed<strip> {
 public:
  strip(sheaf::team const& on, std::size_t n) : distributed(on), part_(n, n, n * on.rank()) {}

  /// The neighbour's row for its next iteration. A neighbour is ahead by one iteration at most, since it waits for our
  /// rows; and then the row belongs into the grid that we do not read yet.
  void take_from_above(values const& row) { std::copy(row.begin(), row.end(), part_.row(0, from_above_++)); }
  void take_from_below(values const& row) {
    std::copy(row.begin(), row.end(), part_.row(part_.rows() + 1, from_below_++));
  }

  void iterate(std::int64_t k) {
    std::size_t const last = part_.rows();
    if (has_above()) async<&strip::take_from_below>(rank() - 1, outer_row(1, k));
    if (has_below()) async<&strip::take_from_above>(rank() + 1, outer_row(last, k));
    sheaf::flush();
    part_.relax(2, last - 1, k);
    while ((has_above() && from_above_ <= k) || (has_below() && from_below_ <= k)) sheaf::wait_for_request();
    part_.relax(1, 1, k);
    part_.relax(last, last, k);
  }

  void reset() { part_.reset(), from_above_ = from_below_ = 0; }
  double digest(std::int64_t k) { return part_.digest(k); }

 private:
  bool has_above() const { return rank() > 0; }
  bool has_below() const { return rank() + 1 < members().size(); }
  values outer_row(std::size_t r, std::int64_t k) { return values(part_.row(r, k), part_.row(r, k) + part_.n()); }

  jacobi_strip part_;
  std::int64_t from_above_ = 0, from_below_ = 0;  // rows that have come
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(11);
  auto const n = static_cast<std::size_t>(args.number("--size", 500));
  std::int64_t const iterations = args.number("--iterations", 200);
  return sheaf::run([&](sheaf::team world) {
    auto const plus = [](double a, double b) { return a + b; };
    strip mine(world, n);
    double const expected = world.rank() == 0 ? expected_jacobi(n, world.size(), iterations) : 0;
    double digest = 0;
    auto const samples = sample(1, reps, [&](int) {
      mine.reset();
      sheaf::fence(world);
      std::int64_t const start = now_ns();
      for (std::int64_t k = 0; k < iterations; ++k) mine.iterate(k);
      sheaf::barrier(world);
      double const ms = static_cast<double>(now_ns() - start) * 1e-6;
      digest = sheaf::all_reduce(world, mine.digest(iterations), plus);
      check(world.rank() != 0 || same_digest(digest, expected), "the grid is not that of a single strip");
      return ms;
    });
    if (world.rank() == 0) print_result("ms", samples, result_member(digest));
  });
}
