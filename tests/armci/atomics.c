// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "check.h"

enum { rounds = 2000 };

/// All add to one word: each old value is seen once, in growing order at each process.
static void counters(int op, size_t bytes, int step) {
  void** const all = shared_zeros(64);
  int const target = nproc - 1;
  long sum = 0, last = -1;
  for (int i = 0; i < rounds; ++i) {
    long old = 0;
    int small = 0;
    EQUAL(ARMCI_Rmw(op, bytes == sizeof small ? (void*)&small : (void*)&old, all[target], step, target), 0);
    if (bytes == sizeof small) old = small;
    CHECK(step > 0 ? old > last : i == 0 || old < last);
    last = old;
    sum += old / step;
  }
  armci_msg_lgop(&sum, 1, "+");
  long const times = (long)rounds * nproc;
  EQUAL(sum, times * (times - 1) / 2);
  ARMCI_Barrier();
  long const end =
      bytes == sizeof(int) ? ARMCI_GetValueInt(all[target], target) : ARMCI_GetValueLong(all[target], target);
  EQUAL(end, times * step);
  release(all);
}

/// What is swapped in comes out once, or is there at the end.
static void swaps(int op, size_t bytes) {
  void** const all = shared_zeros(64);
  long sum = 0;
  for (int i = 1; i <= rounds; ++i) {
    long value = (long)me * rounds + i;
    int small = (int)value;
    EQUAL(ARMCI_Rmw(op, bytes == sizeof(int) ? (void*)&small : (void*)&value, all[0], 0, 0), 0);
    sum += bytes == sizeof(int) ? small : value;
  }
  ARMCI_Barrier();
  if (me == 0) sum += bytes == sizeof(int) ? *(int*)all[0] : *(long*)all[0];
  armci_msg_lgop(&sum, 1, "+");
  long const times = (long)rounds * nproc;
  EQUAL(sum, times * (times + 1) / 2);
  release(all);
}

void atomics(void) {
  counters(ARMCI_FETCH_AND_ADD, sizeof(int), 1);
  counters(ARMCI_FETCH_AND_ADD, sizeof(int), -3);
  counters(ARMCI_FETCH_AND_ADD_LONG, sizeof(long), 5);
  swaps(ARMCI_SWAP, sizeof(int));
  swaps(ARMCI_SWAP_LONG, sizeof(long));
}

/// A counter that only the holder of a mutex changes, by a get and a put.
static void count_under(void (*lock)(int, int), void (*unlock)(int, int), int count) {
  void** const all = shared_zeros(64);
  for (int i = 0; i < 200; ++i) {
    int const at = (me + i) % nproc, mutex = i % count;
    lock(mutex, at);
    long now = ARMCI_GetValueLong((long*)all[at] + mutex, at);
    ARMCI_PutValueLong(now + 1, (long*)all[at] + mutex, at);
    unlock(mutex, at);
  }
  ARMCI_Barrier();
  long sum = 0;
  for (int m = 0; m < count; ++m) sum += ((long*)all[me])[m];
  armci_msg_lgop(&sum, 1, "+");
  EQUAL(sum, 200L * nproc);
  release(all);
}

static armcix_mutex_hdl_t batch;
static void lock_in_batch(int mutex, int process) { ARMCIX_Lock_hdl(batch, mutex, process); }
static void try_in_batch(int mutex, int process) {
  while (ARMCIX_Trylock_hdl(batch, mutex, process) != 0) ARMCIX_Progress();
}
static void unlock_in_batch(int mutex, int process) { ARMCIX_Unlock_hdl(batch, mutex, process); }

void mutexes(void) {
  for (int time = 0; time < 2; ++time) {
    EQUAL(ARMCI_Create_mutexes(3), 0);
    count_under(ARMCI_Lock, ARMCI_Unlock, 3);
    EQUAL(ARMCI_Destroy_mutexes(), 0);
  }
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  EQUAL(ARMCI_Create_mutexes(me == 0 ? 1 : 0), 0);  // several batches, and one left to ARMCI_Finalize
  batch = ARMCIX_Create_mutexes_hdl(2 + me, &world);
  CHECK(batch != NULL);
  EQUAL(batch->my_count, 2 + me);
  EQUAL(batch->max_count, 1 + nproc);
  count_under(lock_in_batch, unlock_in_batch, 2);
  count_under(try_in_batch, unlock_in_batch, 2);
  EQUAL(ARMCIX_Destroy_mutexes_hdl(batch), 0);
  for (int i = 0; i < 50; ++i) {
    ARMCI_Lock(0, 0);
    ARMCI_Unlock(0, 0);
  }
}
