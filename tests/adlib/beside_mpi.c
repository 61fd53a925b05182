/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * Distributed arrays in a program that owns MPI: over all of its processes, then over those of a communicator. */
#include <mpi.h>

#include "check.h"

static void remap_once(void) {
  uint64_t const count[] = {29};
  adlib_distribution const cyclic = {ADLIB_CYCLIC, 3}, block = {ADLIB_BLOCK, 0};
  adlib_array* const from = adlib_create(1, count, &cyclic, NULL, sizeof(int));
  adlib_array* const to = adlib_create(1, count, &block, NULL, sizeof(int));
  uint64_t part, at[1];
  int* const own = adlib_own(from, &part);
  for (uint64_t i = 0; i < part; ++i) adlib_indices(from, i, at), own[i] = (int)at[0];
  adlib_remap(to, NULL, from, NULL);
  int const* const got = adlib_own(to, &part);
  for (uint64_t i = 0; i < part; ++i) {
    adlib_indices(to, i, at);
    CHECK(got[i] == (int)at[0]);
  }
  adlib_destroy(from);
  adlib_destroy(to);
}

int main(int argc, char** argv) {
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  adlib_init();
  CHECK(adlib_rank() == rank && adlib_size() == size);
  remap_once();
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2);
  adlib_finalize();

  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  int rank_of_half;
  MPI_Comm_rank(half, &rank_of_half);
  if (rank % 2 == 0) {
    adlib_init_mpi(&half);
    CHECK(adlib_rank() == rank_of_half && adlib_size() == (size + 1) / 2);
    remap_once();
    adlib_finalize();
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  if (rank == 0) puts("all checks passed");
}
