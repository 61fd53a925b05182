// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What the Jacobi peers over MPI share: repetitions, the digest of all ranks, and its comparison.
#pragma once

#include "harness/jacobi.hpp"
#include "peers/mpi_rank.hpp"

namespace sheaf_bench {

/// Measures `solve()`, all iterations over this rank's `part` of `strips` strips; rank 0 prints.
template <class Solve>
void measure_jacobi(mpi_rank const& mpi, arguments const& args, jacobi_strip& part, std::size_t strips,
                    std::int64_t iterations, Solve&& solve) {
  double const expected = mpi.rank() == 0 ? expected_jacobi(part.n(), strips, iterations) : 0;
  double digest = 0;
  auto const samples = sample(1, args.reps(11), [&](int) {
    part.reset();
    mpi_rank::barrier();
    std::int64_t const start = now_ns();
    solve();
    mpi_rank::barrier();
    double const ms = static_cast<double>(now_ns() - start) * 1e-6;
    double const own = part.digest(iterations);
    MPI_Allreduce(&own, &digest, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    mpi.check(mpi.rank() != 0 || same_digest(digest, expected), "the grid is not that of a single strip");
    return ms;
  });
  if (mpi.rank() == 0) print_result("ms", samples, result_member(digest));
}

}  // namespace sheaf_bench
