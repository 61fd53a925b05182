// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of jacobi/mpi: one strip per rank; the outer rows travel by Isend and Irecv, into place, while the inner rows
/// are computed. Milliseconds for all iterations.
#include <array>

#include "peers/jacobi_measure.hpp"

namespace {

using namespace sheaf_bench;

void iterate(jacobi_strip& part, mpi_rank const& mpi, std::int64_t k) {
  std::size_t const last = part.rows();
  int const count = static_cast<int>(part.n());
  int const above = mpi.rank() > 0 ? mpi.rank() - 1 : MPI_PROC_NULL;
  int const below = mpi.rank() + 1 < mpi.size() ? mpi.rank() + 1 : MPI_PROC_NULL;
  std::array<MPI_Request, 4> requests;
  MPI_Irecv(part.row(0, k), count, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(part.row(last + 1, k), count, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(part.row(1, k), count, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(part.row(last, k), count, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[3]);
  part.relax(2, last - 1, k);
  MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  part.relax(1, 1, k);
  part.relax(last, last, k);
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  auto const n = static_cast<std::size_t>(args.number("--size", 500));
  std::int64_t const iterations = args.number("--iterations", 200);
  jacobi_strip mine(n, n, n * static_cast<std::size_t>(mpi.rank()));
  measure_jacobi(mpi, args, mine, static_cast<std::size_t>(mpi.size()), iterations, [&] {
    for (std::int64_t k = 0; k < iterations; ++k) iterate(mine, mpi, k);
  });
}
