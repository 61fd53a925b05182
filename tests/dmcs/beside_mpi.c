/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * A program that owns MPI: it sends messages of its own meanwhile, and MPI goes on after DMCS has ended. */
#include <mpi.h>

#include "check.h"

static long sum;
static void add(int source, dmcs_arg_t a) {
  sum += a;
  (void)source;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 2; ++round) {
    dmcs_init(&argc, &argv);
    CHECK(dmcs_my_proc() == rank && dmcs_num_procs() == size);
    sum = 0;
    dmcs_register1(add);
    MPI_Barrier(MPI_COMM_WORLD);
    long passed = 0;
    for (int i = 1; i <= 100; ++i) {
      dmcs_async_rsr1((rank + 1) % size, add, i);
      MPI_Sendrecv(&(long){rank}, 1, MPI_LONG, (rank + 1) % size, 0, &passed, 1, MPI_LONG, (rank + size - 1) % size, 0,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(passed == (rank + size - 1) % size);
    }
    dmcs_fence();
    CHECK(sum == 5050);
    dmcs_shutdown();
  }
  long total = 0;
  MPI_Allreduce(&(long){1}, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (total != size) return 1;
  if (rank == 0) printf("all checks passed with %d processes\n", size);
  MPI_Finalize();
  return 0;
}
