// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Several threads of each process transfer, add and change words at the same time.
#include <pthread.h>

#include "check.h"

enum { threads = 4, elements = 1000, rounds = 100 };

static void** all;

/// One row that all add to, one for each thread of the job, and a word.
static size_t rows(void) { return 1 + (size_t)nproc * threads; }
static void* counter(int process) { return (double*)all[process] + rows() * elements; }

static void* work(void* number) {
  size_t const own = 1 + (size_t)me * threads + (size_t)number;
  double values[elements], back[elements], one = 1;
  for (int round = 0; round < rounds; ++round) {
    int const to = (me + round) % nproc;
    double* const there = (double*)all[to] + own * elements;
    for (int i = 0; i < elements; ++i) values[i] = i + round + (double)own;
    EQUAL(ARMCI_Put(values, there, sizeof values, to), 0);
    armci_hdl_t handle;
    ARMCI_INIT_HANDLE(&handle);
    EQUAL(ARMCI_NbGet(there, back, sizeof back, to, &handle), 0);
    EQUAL(ARMCI_Wait(&handle), 0);
    EQUAL(memcmp(values, back, sizeof back), 0);
    for (int i = 0; i < elements; ++i) values[i] = 1;
    EQUAL(ARMCI_Acc(ARMCI_ACC_DBL, &one, values, all[to], sizeof values, to), 0);
    long before = 0;
    EQUAL(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &before, counter(to), 1, to), 0);
  }
  return NULL;
}

void threads_at_once(void) {
  all = shared_zeros((rows() * elements + 1) * sizeof(double));
  pthread_t others[threads];
  for (size_t t = 1; t < threads; ++t) EQUAL(pthread_create(&others[t], NULL, work, (void*)t), 0);
  work(NULL);
  for (size_t t = 1; t < threads; ++t) EQUAL(pthread_join(others[t], NULL), 0);
  ARMCI_AllFence();
  ARMCI_Barrier();
  double sums[2] = {0, (double)*(long*)counter(me)};
  for (int i = 0; i < elements; ++i) sums[0] += ((double*)all[me])[i];
  armci_msg_dgop(sums, 2, "+");
  EQUAL(sums[0], (double)elements * rounds * threads * nproc);
  EQUAL(sums[1], rounds * threads * nproc);
  release(all);
}
