// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "check.h"

static void fill(unsigned char* at, size_t bytes, int process) {
  for (size_t i = 0; i < bytes; ++i) at[i] = pattern(process, i);
}
static void check_filled(unsigned char const* at, size_t bytes, int process) {
  for (size_t i = 0; i < bytes; ++i) EQUAL(at[i], pattern(process, i));
}

/// To the next process and back, at odd addresses, with untouched bytes around.
static void rows_of(size_t bytes) {
  void** const all = shared_zeros(bytes + 2);
  unsigned char* const here = malloc(2 * bytes + 2);
  fill(here, bytes, me);
  EQUAL(ARMCI_Put(here, (char*)all[next_process()] + 1, (int)bytes, next_process()), 0);
  ARMCI_Fence(next_process());
  ARMCI_Barrier();
  unsigned char const* const mine = all[me];
  EQUAL(mine[0], 0);
  EQUAL(mine[bytes + 1], 0);
  check_filled(mine + 1, bytes, previous_process());
  for (int p = 0; p < nproc; ++p) {
    EQUAL(ARMCI_Get((char*)all[p] + 1, here + bytes, (int)bytes, p), 0);
    check_filled(here + bytes, bytes, (p + nproc - 1) % nproc);
  }
  free(here);
  release(all);
}

/// Each process waits for the flag, and sees what was put before it.
static void flags(void) {
  enum { bytes = 4001 };
  void** const all = shared_zeros(bytes + 3 + sizeof(int));
  int** const flag = malloc((size_t)nproc * sizeof *flag);
  for (int p = 0; p < nproc; ++p) flag[p] = (int*)((char*)all[p] + bytes + 3);
  int const to = next_process();
  unsigned char here[bytes];
  for (int round = 1; round <= 20; ++round) {
    fill(here, bytes, me + round);
    if (round % 2 == 0) {
      EQUAL(ARMCI_Put_flag(here, all[to], bytes, flag[to], round, to), 0);
    } else {
      int count[] = {1, bytes}, stride[] = {1};
      EQUAL(ARMCI_PutS_flag(here, stride, all[to], stride, count, 1, flag[to], round, to), 0);
    }
    while (__atomic_load_n(flag[me], __ATOMIC_ACQUIRE) != round) ARMCIX_Progress();
    check_filled(all[me], bytes, previous_process() + round);
    armci_msg_barrier();
  }
  free(flag);
  release(all);
}

static void values(void) {
  struct entry {
    double d;
    long l;
    float f;
    int i;
  };
  void** const all = shared_zeros(2 * (size_t)nproc * sizeof(struct entry));
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  for (int p = 0; p < nproc; ++p) {
    struct entry* const at = (struct entry*)all[p] + me;
    EQUAL(ARMCI_PutValueInt(-me - 1, &at->i, p), 0);
    EQUAL(ARMCI_PutValueLong(1L << 40 | me, &at->l, p), 0);
    EQUAL(ARMCI_PutValueFloat(0.5f + (float)me, &at->f, p), 0);
    EQUAL(ARMCI_PutValueDouble(me / 3.0, &at->d, p), 0);
    EQUAL(ARMCI_NbPutValueInt(-me - 1, &at[nproc].i, p, &handle), 0);
    EQUAL(ARMCI_NbPutValueLong(1L << 40 | me, &at[nproc].l, p, &handle), 0);
    EQUAL(ARMCI_NbPutValueFloat(0.5f + (float)me, &at[nproc].f, p, &handle), 0);
    EQUAL(ARMCI_NbPutValueDouble(me / 3.0, &at[nproc].d, p, NULL), 0);
    EQUAL(ARMCI_Wait(&handle), 0);
  }
  ARMCI_Barrier();
  for (int p = 0; p < nproc; ++p) {
    struct entry* const at = all[p];
    for (int i = 0; i < 2 * nproc; ++i) {
      EQUAL(ARMCI_GetValueInt(&at[i].i, p), -(i % nproc) - 1);
      EQUAL(ARMCI_GetValueLong(&at[i].l, p), 1L << 40 | i % nproc);
      EQUAL(ARMCI_GetValueFloat(&at[i].f, p), 0.5f + (float)(i % nproc));
      EQUAL(ARMCI_GetValueDouble(&at[i].d, p), i % nproc / 3.0);
    }
  }
  release(all);
}

void transfers(void) {
  size_t const sizes[] = {0, 1, 7, 8, 9, 64, 4096, 100003};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) rows_of(sizes[i]);
  flags();
  values();
}

/// 2.25 GiB in one transfer, whose rows lie on each other.
void large(void) {
  enum { row = 1 << 20, rows = 2304 };
  void** const all = shared_zeros(row);
  unsigned char* const here = malloc(row);
  fill(here, row, me);
  int count[] = {row, rows}, stride[] = {0};
  EQUAL(ARMCI_PutS(here, stride, all[next_process()], stride, count, 1, next_process()), 0);
  ARMCI_Barrier();
  check_filled(all[me], row, previous_process());
  EQUAL(ARMCI_GetS(all[me], stride, here, stride, count, 1, me), 0);
  check_filled(here, row, previous_process());
  free(here);
  release(all);
}
