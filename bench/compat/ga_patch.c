// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Global Arrays over either library: ns of an NGA_Get, NGA_Put and NGA_Acc, each a part, of a patch of --size by
/// --size doubles that lies in the other process's half of an array. Puts and additions end with a fence after each
/// block.
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>

#include "harness/measure.h"

enum { side = 1024 };  // of each process's half
static double const added = 2;

struct work {
  int array, size, low[2], high[2], dense[1];
  double* local;
};

static void get(void* context, int number) {
  struct work* const work = context;
  (void)number;
  NGA_Get(work->array, work->low, work->high, work->local, work->dense);
}

static void put(void* context, int number) {
  struct work* const work = context;
  (void)number;
  NGA_Put(work->array, work->low, work->high, work->local, work->dense);
}

static void acc(void* context, int number) {
  struct work* const work = context;
  double scale = added;
  (void)number;
  NGA_Acc(work->array, work->low, work->high, work->local, work->dense, &scale);
}

static void fence(void* context) {
  (void)context;
  GA_Fence();
  GA_Init_fence();
}

static void fill(struct work* work, double factor) {
  for (int i = 0; i < work->size * work->size; ++i) work->local[i] = factor * i;
}

static void check_patch(struct work* work, double factor) {
  fill(work, -1);
  get(work, 0);
  for (int i = 0; i < work->size * work->size; ++i) {
    if (work->local[i] != factor * i) GA_Error("a patch has a wrong value", i);
  }
}

/// Each operation once on known values: first nothing but zeros, then what was put, then what was added.
static void check_once(struct work* work) {
  check_patch(work, 0);
  fill(work, 3);
  put(work, 0);
  fence(work);
  check_patch(work, 3);
  fill(work, 1);
  acc(work, 0);
  fence(work);
  check_patch(work, 3 + added);
}

static void measure(struct work* work, void (*operation)(void*, int), int reps, struct samples* to) {
  int const bytes = work->size * work->size * 8;
  int const each = bytes > 500000 ? 2 : bytes > 5000 ? 1000000 / bytes : 200;
  for (int r = -1; r < reps; ++r) {
    double const value = ns_each(31, each, operation, operation == get ? NULL : fence, work);
    if (r >= 0) add_sample(to, value);
  }
}

/// A patch in the middle of the half of process 1; collective.
static void create(struct work* work, int size) {
  int extents[] = {side, 2 * side}, blocks[] = {1, 2}, begins[] = {0, 0, side};
  int const at = (side - size) / 2;
  *work = (struct work){.size = size,
                        .low = {at, side + at},
                        .high = {at + size - 1, side + at + size - 1},
                        .dense = {size},
                        .local = aligned_alloc(64, ((size_t)size * (size_t)size * 8 + 63) / 64 * 64)};
  work->array = NGA_Create_irreg(C_DBL, 2, extents, "patches", blocks, begins);
  if (work->array == 0 || NGA_Locate(work->array, work->low) != 1 || NGA_Locate(work->array, work->high) != 1) {
    GA_Error("the patch is not the other process's", 0);
  }
  GA_Zero(work->array);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  check(GA_Nnodes() == 2, "needs two processes");
  int const size = number_of(argc, argv, "--size", 512), reps = reps_of(argc, argv, 9);
  check(size > 0 && size <= side, "--size is 1 to 1024");
  struct work work;
  create(&work, size);
  static struct part parts[] = {{.name = "get"}, {.name = "put"}, {.name = "acc"}};
  if (GA_Nodeid() == 0) {
    GA_Init_fence();
    check_once(&work);
    measure(&work, get, reps, &parts[0].ours);
    measure(&work, put, reps, &parts[1].ours);
    fill(&work, 1e-6);
    measure(&work, acc, reps, &parts[2].ours);
    GA_Fence();
  }
  GA_Sync();
  if (GA_Nodeid() == 0) print_result("ns", parts, 3);
  GA_Destroy(work.array);
  free(work.local);
  GA_Terminate();
  MPI_Finalize();
}
