// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of inner_product/mpi: every rank's part, then MPI_Allreduce; milliseconds.
#include "harness/inner_product.hpp"
#include "peers/mpi_rank.hpp"

int main(int argc, char** argv) {
  using namespace sheaf_bench;
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  std::int64_t const size = args.number("--size", 40'000'000);
  double const expected = expected_inner_product(size);
  part_of_vector mine(size, mpi.rank(), mpi.size());
  auto const samples = sample(2, args.reps(21), [&](int) {
    mpi_rank::barrier();
    std::int64_t const start = now_ns();
    double const own = inner_product(mine.values(), mine.values());
    double sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double const ms = static_cast<double>(now_ns() - start) * 1e-6;
    mpi.check(sum == expected, "a wrong sum");
    return ms;
  });
  if (mpi.rank() == 0) print_result("ms", samples);
}
