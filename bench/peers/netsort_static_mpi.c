// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of compat/netsort_static: the same over MPI, each value a message by MPI_Isend, with receives from any process
/// that were posted before. ms.
#include <mpi.h>

#include "harness/netsort_static.h"

enum { window = 256 };
struct message {
  int32_t position, step, value;
};
static struct message out[window], in[window];
static MPI_Request sends[window], receives[window];
static int next_send, next_receive;

static void send_value(struct netsort* all, int owner, int32_t position, int32_t step, int32_t value) {
  (void)all;
  int const at = next_send++ % window;
  int done = 0;
  for (MPI_Test(&sends[at], &done, MPI_STATUS_IGNORE); !done; MPI_Test(&sends[at], &done, MPI_STATUS_IGNORE)) continue;
  out[at] = (struct message){position, step, value};
  MPI_Isend(&out[at], 3, MPI_INT32_T, owner, 0, MPI_COMM_WORLD, &sends[at]);
}

static void post(int at) { MPI_Irecv(&in[at], 3, MPI_INT32_T, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &receives[at]); }

static void receive_some(struct netsort* all) {
  for (;;) {
    int const at = next_receive % window;
    int done = 0;
    MPI_Test(&receives[at], &done, MPI_STATUS_IGNORE);
    if (!done) break;
    struct message const got = in[at];
    ++next_receive;
    post(at);
    value_came(all, got.position, got.step, got.value);
    go_on_with_due(all);
  }
}

static double sort(struct netsort* all, uint64_t seed) {
  shuffle(all, seed);
  MPI_Barrier(MPI_COMM_WORLD);
  long long const start = now_ns();
  begin(all);
  while (all->left > 0) receive_some(all);
  MPI_Barrier(MPI_COMM_WORLD);
  double const ms = (double)(now_ns() - start) * 1e-6;
  int32_t* const result = table_of(all->count, 0);
  for (int32_t i = 0; i < all->count; ++i)
    if (all->owner[i] != all->self) all->value[i] = 0;
  MPI_Reduce(all->value, result, all->count, MPI_INT32_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (all->self == 0) check_sorted(all, result);
  free(result);
  return ms;
}

int main(int argc, char** argv) {
  static struct part part = {.name = "sort"};
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct netsort all = make_netsort(rank, size, number_of(argc, argv, "--count", 1000));
  for (int i = 0; i < window; ++i) sends[i] = MPI_REQUEST_NULL;
  for (int i = 0; i < window; ++i) post(i);
  int const reps = reps_of(argc, argv, 9);
  for (int r = -1; r < reps; ++r) {
    double const ms = sort(&all, (uint64_t)r + 2);
    if (r >= 0) add_sample(&part.ours, ms);
  }
  if (rank == 0) print_result("ms", &part, 1);
  for (int i = 0; i < window; ++i) {
    MPI_Cancel(&receives[i]);
    MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  free_netsort(&all);
  return 0;
}
