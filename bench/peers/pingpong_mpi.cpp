// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of sync_rmi.mpi: 8 bytes there and back with Isend, Irecv and Test, nanoseconds per round trip. Its floor is
/// the same with
/// --blocking 1: Send and Recv.
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

void finish(MPI_Request& request) {
  int done = 0;
  while (done == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

struct nonblocking {
  static void send(std::int64_t& value, int to) {
    MPI_Request request;
    MPI_Isend(&value, 1, MPI_INT64_T, to, 0, MPI_COMM_WORLD, &request);
    finish(request);
  }
  static void receive(std::int64_t& value, int from) {
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT64_T, from, 0, MPI_COMM_WORLD, &request);
    finish(request);
  }
};

struct blocking {
  static void send(std::int64_t& value, int to) { MPI_Send(&value, 1, MPI_INT64_T, to, 0, MPI_COMM_WORLD); }
  static void receive(std::int64_t& value, int from) {
    MPI_Recv(&value, 1, MPI_INT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
};

/// One round trip; the reply is three times its request.
template <class Way>
void trip(mpi_rank const& mpi, std::int64_t number) {
  std::int64_t value = number;
  if (mpi.rank() == 0) {
    Way::send(value, 1);
    Way::receive(value, 1);
    mpi.check(value == number * 3, "a reply does not belong to its request");
  } else if (mpi.rank() == 1) {
    Way::receive(value, 0);
    value *= 3;
    Way::send(value, 0);
  }
}

template <class Way>
std::vector<double> measure(mpi_rank const& mpi, int reps) {
  std::int64_t number = 0;
  return sample(2, reps, [&](int) { return ns_each(101, 1000, [&] { trip<Way>(mpi, ++number); }); });
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  mpi.check(mpi.size() >= 2, "needs two ranks");
  int const reps = args.reps(9);
  bool const blocks = args.number("--blocking", 0) != 0;
  auto const samples = blocks ? measure<blocking>(mpi, reps) : measure<nonblocking>(mpi, reps);
  if (mpi.rank() == 0) print_result("ns", samples);
}
