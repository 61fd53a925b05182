/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * A program that owns MPI: it sends messages of its own meanwhile, and MPI goes on after DMCS has ended. */
#define _GNU_SOURCE
#include <mpi.h>
#include <string.h>
#include <time.h>

#include "check.h"

static long sum;
static void add(int source, dmcs_arg_t a) {
  sum += a;
  (void)source;
}

enum { most = 200000 }; /* more than a buffer has: between hosts it goes beside MPI */
static char here[most], back[most];
static char* of_next; /* what the next process has given */
static void learn(int source, dmcs_arg_t address) {
  of_next = (char*)address;
  (void)source;
}

/* A message of MPI to the next process. DMCS's answer is waited for in a fence alone: who waits in MPI does not poll.
 */
static void pass(int rank, int size) {
  long passed = -1;
  MPI_Sendrecv(&(long){rank}, 1, MPI_LONG, (rank + 1) % size, 0, &passed, 1, MPI_LONG, (rank + size - 1) % size, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(passed == (rank + size - 1) % size);
}

static void move_data(int rank, int size, int round) {
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  dmcs_request done = DMCS_REQUEST_INIT;
  char* const own = dmcs_malloc(rank, most);
  dmcs_async_rsr1(before, learn, (dmcs_arg_t)own);
  dmcs_fence();
  memset(here, 1 + rank + 10 * round, most);
  memset(back, 0, most);
  dmcs_async_put(next, of_next, here, most, &done);
  pass(rank, size);
  dmcs_async_get(next, back, of_next, most, &done);
  pass(rank, size);
  dmcs_fence();
  CHECK(dmcs_test(&done));
  for (int i = 0; i < most; ++i) CHECK(own[i] == 1 + before + 10 * round && back[i] == here[i]);
  dmcs_free(rank, own);
}

/* What has arrived is in effect when a call that waits returns, though nothing of it was waited for. MPI's barrier says
 * that it has arrived, where the processes share memory. */
static void see_what_has_come(int rank, int size) {
  static long volatile put_here, get_here;
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  long got = 0;
  dmcs_async_rsr1(before, learn, (dmcs_arg_t)&put_here);
  dmcs_fence();
  char* const put_there = of_next;
  dmcs_async_rsr1(next, learn, (dmcs_arg_t)&get_here);
  dmcs_fence();
  char* const get_there = of_next;
  for (long i = 1; i <= 50; ++i) {
    dmcs_async_put(next, put_there, &i, sizeof i, NULL);
    dmcs_flush();
    get_here = i;
    MPI_Barrier(MPI_COMM_WORLD);
    dmcs_request done = DMCS_REQUEST_INIT;
    if (i % 3 == 0) dmcs_barrier();
    if (i % 3 == 1) dmcs_wait(&done);
    if (i % 3 == 2) dmcs_sync_get(before, &got, get_there, sizeof got);
    CHECK(put_here == i && (i % 3 != 2 || got == i));
    dmcs_barrier();
  }
}

static int is_said(int argc, char** argv, char const* word) { return argc > 1 && strcmp(argv[1], word) == 0; }

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 2; ++round) {
    dmcs_init(&argc, &argv);
    if (is_said(argc, argv, "early")) MPI_Finalize(); /* ends the job with a text */
    CHECK(dmcs_my_proc() == rank && dmcs_num_procs() == size);
    sum = 0;
    dmcs_register1(add);
    dmcs_register1(learn);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 1; i <= 100; ++i) {
      dmcs_async_rsr1((rank + 1) % size, add, i);
      pass(rank, size);
    }
    dmcs_fence();
    CHECK(sum == 5050);
    move_data(rank, size, round);
    if (is_said(argc, argv, "near")) see_what_has_come(rank, size);
    dmcs_shutdown();
  }
  long total = 0;
  MPI_Allreduce(&(long){1}, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (total != size) return 1;
  if (rank == 0) printf("all checks passed with %d processes\n", size);
  /* MPICH over UCX's TCP, by itself: who calls MPI_Finalize while another is in the call before it may wait for ever.
   */
  if (is_said(argc, argv, "pause")) nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
  MPI_Finalize();
  return 0;
}
