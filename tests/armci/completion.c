// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Operations without waiting: handles of one operation, of many, of none, and none at all.
#include "check.h"

enum { count = 50 };

static void with_handles(void) {
  void** const all = shared_zeros(count * sizeof(long));
  armci_hdl_t handles[count];
  long here[count], back[count];
  int const to = next_process();
  for (int i = 0; i < count; ++i) {
    here[i] = 1000L * me + i;
    ARMCI_INIT_HANDLE(&handles[i]);
    EQUAL(ARMCI_NbPut(&here[i], (long*)all[to] + i, sizeof(long), to, &handles[i]), 0);
  }
  for (int i = count - 1; i >= 0; --i) EQUAL(ARMCI_Wait(&handles[i]), 0);
  EQUAL(ARMCI_Wait(&handles[0]), 0);
  for (int i = 0; i < count; ++i) {
    EQUAL(ARMCI_NbGet((long*)all[to] + i, &back[i], sizeof(long), to, &handles[i]), 0);
  }
  for (int i = 0; i < count; ++i) EQUAL(ARMCI_Test(&handles[i]), 0);
  EQUAL(memcmp(here, back, sizeof here), 0);
  ARMCI_Barrier();
  for (int i = 0; i < count; ++i) EQUAL(((long*)all[me])[i], 1000L * previous_process() + i);
  release(all);
}

static void aggregated(void) {
  void** const all = shared_zeros(2 * (size_t)nproc * sizeof(long));
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  long here[2], *back = calloc((size_t)nproc, sizeof *back);
  here[0] = me + 1;
  here[1] = -me;
  for (int p = 0; p < nproc; ++p) {
    EQUAL(ARMCI_NbPut(here, (long*)all[p] + 2 * me, sizeof here, p, &handle), 0);
    EQUAL(ARMCI_NbGet((long*)all[p] + 2 * me, &back[p], sizeof(long), p, &handle), 0);
  }
  EQUAL(ARMCI_Wait(&handle), 0);
  ARMCI_UNSET_AGGREGATE_HANDLE(&handle);
  for (int p = 0; p < nproc; ++p) EQUAL(back[p], me + 1);
  free(back);
  ARMCI_Barrier();
  for (int p = 0; p < nproc; ++p) EQUAL(((long*)all[me])[2 * p + 1], -p);
  release(all);
}

static void implicit(void) {
  void** const all = shared_zeros(count * sizeof(int));
  int here[count], back[count];
  int const to = previous_process();
  for (int i = 0; i < count; ++i) here[i] = me ^ i;
  for (int i = 0; i < count; ++i) EQUAL(ARMCI_NbPut(&here[i], (int*)all[to] + i, sizeof(int), to, NULL), 0);
  EQUAL(ARMCI_WaitProc(to), 0);
  for (int i = 0; i < count; ++i) EQUAL(ARMCI_NbGet((int*)all[to] + i, &back[i], sizeof(int), to, NULL), 0);
  EQUAL(ARMCI_WaitAll(), 0);
  EQUAL(memcmp(here, back, sizeof here), 0);
  ARMCI_AllFence();
  ARMCI_Barrier();
  for (int i = 0; i < count; ++i) EQUAL(((int*)all[me])[i], next_process() ^ i);
  release(all);
}

void completion(void) {
  with_handles();
  aggregated();
  implicit();
}
