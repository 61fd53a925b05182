// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What the MPI peers share: the life of MPI, and who one is.
#pragma once

#include <mpi.h>

#include "harness/measure.hpp"

namespace sheaf_bench {

/// MPI from construction to destruction.
class mpi_rank {
 public:
  /// With more than MPI_THREAD_SINGLE: fails where the library does not give that.
  mpi_rank(int argc, char** argv, int threads = MPI_THREAD_SINGLE) {
    int given = threads;
    if (threads == MPI_THREAD_SINGLE) {
      MPI_Init(&argc, &argv);
    } else {
      MPI_Init_thread(&argc, &argv, threads, &given);
    }
    if (given < threads) fail("the MPI library does not give the thread level that is needed");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  mpi_rank(mpi_rank const&) = delete;
  mpi_rank& operator=(mpi_rank const&) = delete;
  ~mpi_rank() { MPI_Finalize(); }

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Ends the whole job unless `good`.
  void check(bool good, char const* what) const {
    if (good) return;
    std::fprintf(stderr, "failed on rank %d: %s\n", rank_, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  static void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace sheaf_bench
