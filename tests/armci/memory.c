// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "check.h"

/// Sizes differ from process to process, and some have none.
static void irregular(void) {
  void** const all = malloc((size_t)nproc * sizeof *all);
  for (int time = 0; time < 5; ++time) {
    size_t const mine = (size_t)((me + time) % 3) * 1000;
    EQUAL(ARMCI_Malloc(all, (armci_size_t)mine), 0);
    for (int p = 0; p < nproc; ++p) EQUAL(all[p] == NULL, (p + time) % 3 == 0);
    if (mine != 0) memset(all[me], me, mine);
    ARMCI_Barrier();
    for (int p = 0; p < nproc; ++p) {
      char last = 0;
      if (all[p] != NULL) EQUAL(ARMCI_Get((char*)all[p] + ((p + time) % 3) * 1000 - 1, &last, 1, p), 0);
      EQUAL(last, all[p] != NULL ? p : 0);
    }
    EQUAL(ARMCI_Free(all[me]), 0);
  }
  free(all);
}

/// Many are there at a time, and freed in another order.
static void many(void) {
  enum { count = 64 };
  void** all[count];
  for (int i = 0; i < count; ++i) all[i] = shared_zeros((size_t)(i * i + 1));
  for (int i = 0; i < count; ++i) {
    unsigned char const value = (unsigned char)(i + me);
    EQUAL(ARMCI_Put((void*)&value, (char*)all[i][next_process()] + i * i, 1, next_process()), 0);
  }
  ARMCI_Barrier();
  for (int i = 0; i < count; ++i) {
    int const k = i * 29 % count;
    EQUAL(((unsigned char*)all[k][me])[k * k], (unsigned char)(k + previous_process()));
    release(all[k]);
  }
}

static void local(void) {
  char* const here = ARMCI_Malloc_local(100000);
  CHECK(here != NULL);
  void** const all = shared_zeros(100000);
  memset(here, me + 1, 100000);
  EQUAL(ARMCI_Put(here, all[next_process()], 100000, next_process()), 0);
  ARMCI_Barrier();
  ARMCI_Access_begin(all[me]);
  EQUAL(((char*)all[me])[99999], previous_process() + 1);
  ARMCI_Copy(all[me], here + 1, 99999);
  ARMCI_Access_end(all[me]);
  EQUAL(here[0], me + 1);
  EQUAL(here[99999], previous_process() + 1);
  release(all);
  EQUAL(ARMCI_Free_local(here), 0);
}

static void of_devices(void) {
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  void** const all = malloc((size_t)nproc * sizeof *all);
  EQUAL(ARMCI_Malloc_memdev(all, 8, "none"), 0);
  ARMCI_Barrier();
  EQUAL(ARMCI_PutValueLong(me, all[next_process()], next_process()), 0);
  ARMCI_Barrier();
  EQUAL(*(long*)all[me], previous_process());
  EQUAL(ARMCI_Free_memdev(all[me]), 0);
  EQUAL(ARMCI_Malloc_group_memdev(all, 8, &world, "none"), 0);
  EQUAL(ARMCI_Free_group(all[me], &world), 0);
  free(all);
}

/// No process gets memory where one cannot; and what is freed is used again, or the last rounds would fail.
static void too_much(void) {
  void** const all = malloc((size_t)nproc * sizeof *all);
  CHECK(ARMCI_Malloc(all, me == nproc - 1 ? 1L << 50 : 8) != 0);
  for (int p = 0; p < nproc; ++p) CHECK(all[p] == NULL);
  free(all);
  for (int i = 0; i < 50; ++i) release(shared_zeros((size_t)8 << 20));
}

void memory(void) {
  irregular();
  many();
  local();
  of_devices();
#ifdef ARMCI_SHEAF
  CHECK(ARMCI_Malloc_local(1L << 50) == NULL);
#endif
  too_much();
}
