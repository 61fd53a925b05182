// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of sync.mpi: 8 bytes there and back with Isend, Irecv and Test, nanoseconds per round trip. Its floor is
/// the same with --blocking 1: Send and Recv. `--bytes` for longer messages.
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

void finish(MPI_Request& request) {
  int done = 0;
  while (done == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

using block = std::vector<std::int64_t>;

struct nonblocking {
  static void send(block& values, int to) {
    MPI_Request request;
    MPI_Isend(values.data(), static_cast<int>(values.size()), MPI_INT64_T, to, 0, MPI_COMM_WORLD, &request);
    finish(request);
  }
  static void receive(block& values, int from) {
    MPI_Request request;
    MPI_Irecv(values.data(), static_cast<int>(values.size()), MPI_INT64_T, from, 0, MPI_COMM_WORLD, &request);
    finish(request);
  }
};

struct blocking {
  static void send(block& values, int to) {
    MPI_Send(values.data(), static_cast<int>(values.size()), MPI_INT64_T, to, 0, MPI_COMM_WORLD);
  }
  static void receive(block& values, int from) {
    MPI_Recv(values.data(), static_cast<int>(values.size()), MPI_INT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
};

/// One round trip; the reply begins with three times the request's first number.
template <class Way>
void trip(mpi_rank const& mpi, block& values, std::int64_t number) {
  if (mpi.rank() == 0) {
    values[0] = number;
    Way::send(values, 1);
    Way::receive(values, 1);
    mpi.check(values[0] == number * 3, "a reply does not belong to its request");
  } else if (mpi.rank() == 1) {
    Way::receive(values, 0);
    values[0] *= 3;
    Way::send(values, 0);
  }
}

template <class Way>
std::vector<double> measure(mpi_rank const& mpi, std::size_t bytes, int reps) {
  std::int64_t number = 0;
  block values(std::max<std::size_t>(1, bytes / sizeof number));
  int const trips = trips_of(bytes);
  return sample(2, reps, [&](int) { return ns_each(101, trips, [&] { trip<Way>(mpi, values, ++number); }); });
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  mpi.check(mpi.size() >= 2, "needs two ranks");
  int const reps = args.reps(9);
  bool const blocks = args.number("--blocking", 0) != 0;
  auto const bytes = static_cast<std::size_t>(args.number("--bytes", 8));
  auto const samples = blocks ? measure<blocking>(mpi, bytes, reps) : measure<nonblocking>(mpi, bytes, reps);
  if (mpi.rank() == 0) print_result("ns", samples);
}
