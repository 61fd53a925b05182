// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of jacobi/hybrid: MPI between processes, OpenMP inside. A process has one strip of n rows per thread. Its first
/// and its last thread exchange the process's outer rows (MPI_THREAD_MULTIPLE), and compute like the others meanwhile.
/// A thread waits for its neighbours only (`--wait flags`), or all meet at OpenMP's barrier (`--wait barrier`). With
/// more threads than cores, waiting threads yield (`--spin 0`). Milliseconds for all iterations.
#include <omp.h>

#include <array>
#include <atomic>
#include <thread>

#include "peers/jacobi_measure.hpp"

namespace {

using namespace sheaf_bench;

struct wait_settings {
  bool barrier;
  std::int64_t spin;
};

template <class Done>
void wait_until(Done&& done, std::int64_t spin) {
  for (std::int64_t round = 0; !done(); ++round) {
    if (round >= spin) std::this_thread::yield();
  }
}

/// How many iterations a thread has finished.
struct alignas(128) progress {
  std::atomic<std::int64_t> value{0};
};

/// The exchange of one outer row of the process with the process next to it.
class exchange {
 public:
  exchange(int neighbour, int tag_in, int tag_out) : neighbour_(neighbour), tag_in_(tag_in), tag_out_(tag_out) {}

  void start(double* in, double* out, int count) {
    MPI_Irecv(in, count, MPI_DOUBLE, neighbour_, tag_in_, MPI_COMM_WORLD, &requests_[0]);
    MPI_Isend(out, count, MPI_DOUBLE, neighbour_, tag_out_, MPI_COMM_WORLD, &requests_[1]);
  }
  bool done() {
    int flag = 0;
    MPI_Testall(2, requests_.data(), &flag, MPI_STATUSES_IGNORE);
    return flag != 0;
  }

 private:
  int const neighbour_, tag_in_, tag_out_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

/// One thread's share of the process's rows.
class worker {
 public:
  worker(jacobi_strip& part, std::vector<progress>& all, int me, mpi_rank const& mpi, wait_settings settings)
      : part_(part),
        all_(all),
        me_(static_cast<std::size_t>(me)),
        first_(part.n() * me_ + 1),
        last_(part.n() * (me_ + 1)),
        settings_(settings),
        above_(me == 0 && mpi.rank() > 0 ? mpi.rank() - 1 : MPI_PROC_NULL, 0, 1),
        below_(me_ + 1 == all.size() && mpi.rank() + 1 < mpi.size() ? mpi.rank() + 1 : MPI_PROC_NULL, 1, 0) {}

  void iterate(std::int64_t k) {
    int const count = static_cast<int>(part_.n());
    above_.start(part_.row(first_ - 1, k), part_.row(first_, k), count);
    below_.start(part_.row(last_ + 1, k), part_.row(last_, k), count);
    part_.relax(first_ + 1, last_ - 1, k);
    wait_until([&] { return above_.done() && below_.done(); }, settings_.spin);
    if (!settings_.barrier) wait_for_neighbours(k);
    part_.relax(first_, first_, k);
    part_.relax(last_, last_, k);
    all_[me_].value.store(k + 1, std::memory_order_release);
    if (settings_.barrier) {
#pragma omp barrier
    }
  }

 private:
  /// Until they have written what iteration `k` reads, and have read what it overwrites.
  void wait_for_neighbours(std::int64_t k) const {
    auto const ready = [&](std::size_t t) { return all_[t].value.load(std::memory_order_acquire) >= k; };
    if (me_ > 0) wait_until([&] { return ready(me_ - 1); }, settings_.spin);
    if (me_ + 1 < all_.size()) wait_until([&] { return ready(me_ + 1); }, settings_.spin);
  }

  jacobi_strip& part_;
  std::vector<progress>& all_;
  std::size_t const me_, first_, last_;
  wait_settings const settings_;
  exchange above_, below_;
};

void solve(jacobi_strip& part, mpi_rank const& mpi, std::int64_t iterations, wait_settings settings) {
  std::vector<progress> all(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
  {
    worker mine(part, all, omp_get_thread_num(), mpi, settings);
    for (std::int64_t k = 0; k < iterations; ++k) mine.iterate(k);
  }
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv, MPI_THREAD_MULTIPLE);
  auto const n = static_cast<std::size_t>(args.number("--size", 500));
  auto const rows = n * static_cast<std::size_t>(omp_get_max_threads());
  std::int64_t const iterations = args.number("--iterations", 200);
  wait_settings const settings{args.text("--wait", "flags") == "barrier", args.number("--spin", 10'000)};
  jacobi_strip mine(n, rows, rows * static_cast<std::size_t>(mpi.rank()));
  measure_jacobi(mpi, args, mine, rows / n * static_cast<std::size_t>(mpi.size()), iterations,
                 [&] { solve(mine, mpi, iterations, settings); });
}
