// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/watched_mpi.hpp"

#include <mpi.h>

#include <thread>

namespace sheaf_test {
namespace {

std::thread::id const first_thread = std::this_thread::get_id();
thread_local int depth = 0;

}  // namespace

mpi_watch& watched_mpi() {
  static mpi_watch all;
  return all;
}

mpi_call::mpi_call() {
  if (depth++ != 0) return;
  mpi_watch& w = watched_mpi();
  if (w.threads_inside.fetch_add(1) != 0) ++w.together;
  if (std::this_thread::get_id() != first_thread) ++w.elsewhere;
}

mpi_call::~mpi_call() {
  if (--depth == 0) --watched_mpi().threads_inside;
}

}  // namespace sheaf_test

// A program may define MPI's functions itself; the library has them a second time, with a P. Its module of Sheaf's
// finds those of the program.
extern "C" {

int MPI_Isend(void const* data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  sheaf_test::mpi_call const watched;
  return PMPI_Isend(data, count, type, dest, tag, comm, request);
}

int MPI_Irecv(void* room, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  sheaf_test::mpi_call const watched;
  return PMPI_Irecv(room, count, type, source, tag, comm, request);
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  sheaf_test::mpi_call const watched;
  return PMPI_Test(request, flag, status);
}

int MPI_Testsome(int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]) {
  sheaf_test::mpi_call const watched;
  return PMPI_Testsome(count, requests, found, indices, statuses);
}

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  sheaf_test::mpi_call const watched;
  return PMPI_Comm_rank(comm, rank);
}
}
