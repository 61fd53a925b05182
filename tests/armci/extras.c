// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What ARMCI-MPI declares and does not do, and what other implementations of ARMCI have.
#include "check.h"

#ifdef ARMCI_SHEAF
static void notes(void) {
  void** const all = shared_zeros(8);
  int const to = next_process();
  for (int i = 1; i <= 100; ++i) {
    EQUAL(ARMCI_PutValueLong(i, all[to], to), 0);
    EQUAL(armci_notify(to) % 100, i % 100);
    int waited = 0;
    CHECK(armci_notify_wait(previous_process(), &waited) >= waited);
    EQUAL(waited % 100, i % 100);
    CHECK(*(long volatile*)all[me] >= i);
  }
  release(all);
}

static void segments(void) {
  int const count[] = {3, 2, 4}, stride[] = {5, 11};
  char memory[64];
  stride_info_t info;
  armci_stride_info_init(&info, memory, 2, stride, count);
  EQUAL(armci_stride_info_size(&info), 8);
  for (int i = 0; armci_stride_info_has_more(&info); armci_stride_info_next(&info), ++i) {
    EQUAL(armci_stride_info_pos(&info), i);
    EQUAL(armci_stride_info_seg_size(&info), 3);
    EQUAL(armci_stride_info_seg_off(&info), i % 2 * 5 + i / 2 * 11);
    CHECK((char*)armci_stride_info_seg_ptr(&info) == memory + i % 2 * 5 + i / 2 * 11);
  }
  EQUAL(armci_stride_info_pos(&info), 8);
  armci_stride_info_destroy(&info);
}

static void reductions_to_the_first(void) {
  double x[] = {me, 1};
  armci_msg_reduce(x, 2, "+", ARMCI_DOUBLE);
  EQUAL(x[1], me == 0 ? nproc : 1);
  int y = me;
  armci_msg_reduce_scope(SCOPE_ALL, &y, 1, "max", ARMCI_INT);
  EQUAL(y, me == 0 ? nproc - 1 : me);
}

static void addresses(void) {
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  for (int of_group = 0; of_group < 2; ++of_group) {
    void** const all = calloc((size_t)nproc, sizeof *all);
    all[me] = (void*)(0x1000L * (me + 1) + (1L << 46));
    of_group ? armci_exchange_address_grp(all, nproc, &world) : armci_exchange_address(all, nproc);
    for (int p = 0; p < nproc; ++p) CHECK((long)all[p] == 0x1000L * (p + 1) + (1L << 46));
    free(all);
  }
  int size = 0;
  MPI_Comm_size(armci_group_comm(&world), &size);
  EQUAL(size, nproc);
}

/// The same memory under the same address, so that what GA hands out may be used by all of a domain.
static void profiling_names(void) {
  void** const all = malloc((size_t)nproc * sizeof *all);
  EQUAL(PARMCI_Malloc(all, 8), 0);
  PARMCI_Barrier();
  long one = me + 1, old = 0;
  EQUAL(PARMCI_Put(&one, all[next_process()], sizeof one, next_process()), 0);
  PARMCI_Barrier();
  EQUAL(PARMCI_Get(all[me], &old, sizeof old, me), 0);
  EQUAL(old, previous_process() + 1);
  parmci_msg_barrier();
  EQUAL(PARMCI_Free(all[me]), 0);
  free(all);
}
#endif

void extras(void) {
#ifdef ARMCI_SHEAF
  notes();
  segments();
  reductions_to_the_first();
  addresses();
  profiling_names();
  EQUAL(ARMCI_Init_mpi_comm(MPI_COMM_WORLD), 0);
  EQUAL(ARMCI_Finalize(), 0);
  ARMCI_Poll();
#endif
  ARMCI_Cleanup();
}
