// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of reduce.mpi: MPI_Allreduce of one 64-bit sum, nanoseconds each.
#include "peers/mpi_rank.hpp"

int main(int argc, char** argv) {
  using namespace sheaf_bench;
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  std::uint64_t round = 0;
  auto const n = static_cast<std::uint64_t>(mpi.size()), me = static_cast<std::uint64_t>(mpi.rank());
  auto const next = [&] {
    ++round;
    std::uint64_t const mine = round * (me + 1);
    std::uint64_t sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    mpi.check(sum == round * n * (n + 1) / 2, "a wrong sum");
  };
  auto const samples = sample(2, args.reps(9), [&](int) { return ns_each(101, 200, next); });
  if (mpi.rank() == 0) print_result("ns", samples);
}
