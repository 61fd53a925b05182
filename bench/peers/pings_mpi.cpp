// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of ARMI's Fig. 6 over MPI: a message per ping, by MPI_Send (`--window 1`) or by that many MPI_Isend at a time,
/// each with a receive that was posted before; microseconds for 10,000 pings and a pong, and "points" for fewer.
#include "harness/pings.hpp"
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

class side {
 public:
  side(mpi_rank const& mpi, int window)
      : mpi_(mpi), requests_(static_cast<std::size_t>(window)), values_(requests_.size()) {}

  /// One round: rank 0 sends, rank 1 adds up and answers with the sum.
  void round(std::int64_t pings) {
    for (std::int64_t first = 0; first < pings; first += window()) {
      mpi_.rank() == 0 ? send(std::min(window(), pings - first)) : receive(std::min(window(), pings - first));
    }
    if (mpi_.rank() == 1) MPI_Send(&sum_, 1, MPI_INT64_T, 0, 1, MPI_COMM_WORLD);
    if (mpi_.rank() != 0) return;
    std::int64_t answer = 0;
    MPI_Recv(&answer, 1, MPI_INT64_T, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mpi_.check(answer == sum_, "pings are lost");
  }

 private:
  std::int64_t window() const { return static_cast<std::int64_t>(requests_.size()); }

  void send(std::int64_t count) {
    sum_ += count;
    std::int64_t const one = 1;
    if (window() == 1) {
      MPI_Send(&one, 1, MPI_INT64_T, 1, 0, MPI_COMM_WORLD);
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) MPI_Isend(&one, 1, MPI_INT64_T, 1, 0, MPI_COMM_WORLD, request(i));
    MPI_Waitall(static_cast<int>(count), requests_.data(), MPI_STATUSES_IGNORE);
  }
  void receive(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      MPI_Irecv(&values_[static_cast<std::size_t>(i)], 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, request(i));
    }
    MPI_Waitall(static_cast<int>(count), requests_.data(), MPI_STATUSES_IGNORE);
    for (std::int64_t i = 0; i < count; ++i) sum_ += values_[static_cast<std::size_t>(i)];
  }
  MPI_Request* request(std::int64_t i) { return &requests_[static_cast<std::size_t>(i)]; }

  mpi_rank const& mpi_;
  std::vector<MPI_Request> requests_;
  std::vector<std::int64_t> values_;
  std::int64_t sum_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  mpi.check(mpi.size() == 2, "needs two ranks");
  side mine(mpi, static_cast<int>(args.number("--window", 64)));
  std::vector<double> last;
  std::string const points = ping_curve(args.reps(15), last, [&](std::int64_t n) { mine.round(n); });
  if (mpi.rank() == 0) print_result("us", last, points);
}
