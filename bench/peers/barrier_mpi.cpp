// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of fence.mpi and fence.crowded: MPI_Barrier, nanoseconds each. Blocks grow until one takes two milliseconds,
/// since more ranks than cores can make a barrier ten thousand times slower.
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

/// How many barriers last two milliseconds by rank 0's clock, the same number on every rank.
int block_size() {
  int each = 1;
  for (bool enough = false; !enough && each < 10'000;) {
    double ns = ns_each(5, each, mpi_rank::barrier) * each;
    MPI_Bcast(&ns, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    enough = ns > 2e6;
    if (!enough) each *= 2;
  }
  return each;
}

/// Nobody may leave a barrier before the last has come; the ranks share one host, so they share the clock.
void verify(mpi_rank const& mpi) {
  for (int round = 0; round < 10; ++round) {
    std::int64_t const arrived = now_ns();
    mpi_rank::barrier();
    std::int64_t const left = now_ns();
    std::int64_t last_arrival = 0, first_leaving = 0;
    MPI_Allreduce(&arrived, &last_arrival, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&left, &first_leaving, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    mpi.check(first_leaving >= last_arrival, "the barrier let a rank through early");
  }
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  verify(mpi);
  int const each = block_size();
  int const blocks = each > 8 ? 51 : 5;
  auto const samples = sample(1, args.reps(9), [&](int) { return ns_each(blocks, each, mpi_rank::barrier); });
  if (mpi.rank() == 0) print_result("ns", samples);
}
