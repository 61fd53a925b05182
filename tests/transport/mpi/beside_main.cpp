// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// A program that uses MPI itself, with a receive posted that would take any message of its communicator, and runs two
/// jobs beside it. MPI is started and ended here.
#include <mpi.h>

#include <cstdio>

#include "transport/endpoint_cases.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int got = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);

  sheaf::options settings = sheaf::options::from_environment();
  settings.transport = sheaf::transport_kind::mpi;
  std::string wrong;
  for (int job = 0; job < 2; ++job) {
    wrong += run_endpoint_case(sheaf_test::endpoint_cases[1], sheaf::launch_mpi, settings.resolved());
  }

  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
  MPI_Status status;
  MPI_Wait(&request, &status);
  int const left = (rank + size - 1) % size;
  bool const intact = got == left && status.MPI_SOURCE == left && status.MPI_TAG == 7;
  if (!intact) std::fprintf(stderr, "the program's own receive got %d from %d\n", got, status.MPI_SOURCE);
  std::fputs(wrong.c_str(), stderr);
  MPI_Finalize();
  return intact && wrong.empty() ? 0 : 1;
}
