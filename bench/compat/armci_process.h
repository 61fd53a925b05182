// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What the programs over ARMCI share: its life, who one is, and memory of each process. They are linked twice, with
/// Sheaf's libarmci and with Debian's ARMCI-MPI, and use only what both have.
#pragma once

#include <armci.h>
#include <mpi.h>

#include "harness/measure.h"

struct process {
  int rank, count;
};

static inline struct process start_armci(int* argc, char*** argv) {
  struct process self;
  MPI_Init(argc, argv);
  check(ARMCI_Init() == 0, "ARMCI_Init");
  MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &self.count);
  check(self.count >= 2, "needs two processes");
  return self;
}

static inline void end_armci(void) {
  ARMCI_Finalize();
  MPI_Finalize();
}

/// Ends the whole job unless `good`.
static inline void check_in_job(int good, char const* what) {
  if (good) return;
  fprintf(stderr, "failed: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// Collective: `bytes` of memory of each process, whose addresses it returns by process; to be freed by free_shared.
static inline void** malloc_shared(struct process const* self, size_t bytes) {
  void** const bases = calloc((size_t)self->count, sizeof *bases);
  check_in_job(bases != NULL && ARMCI_Malloc(bases, (armci_size_t)bytes) == 0, "ARMCI_Malloc");
  return bases;
}

static inline void free_shared(struct process const* self, void** bases) {
  ARMCI_Barrier();
  ARMCI_Free(bases[self->rank]);
  free(bases);
}
