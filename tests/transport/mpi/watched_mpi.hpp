// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>

namespace sheaf_test {

/// Who calls MPI in this process: what Sheaf calls again and again is watched, by MPI's profiling interface.
struct mpi_watch {
  std::atomic<int> threads_inside{0};
  std::atomic<std::uint64_t> together{0};   ///< calls that began while another thread was in one
  std::atomic<std::uint64_t> elsewhere{0};  ///< calls on other threads than the one that started the program
};

mpi_watch& watched_mpi();

/// A call of MPI, or some that belong together, from begin to end. May be nested.
class mpi_call {
 public:
  mpi_call();
  ~mpi_call();
  mpi_call(mpi_call const&) = delete;
  mpi_call& operator=(mpi_call const&) = delete;
};

}  // namespace sheaf_test
