// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "check.h"

enum { set_count = 3, room = 40 };
static int const bytes_of_set[set_count] = {1, 8, 24};
static int const length_of_set[set_count] = {17, 0, 9};

/// Segments of a set begin at places that are apart and in no order.
static size_t place(int set, int segment) {
  return (size_t)((set * 17 + segment * 5 % length_of_set[set]) * room + segment % 3);
}

/// Descriptors whose sources are in `source` and whose targets are in `target`, at `place` and densely.
static void describe(armci_giov_t* sets, char* source, char* target, int target_is_spread) {
  size_t dense = 0;
  for (int s = 0; s < set_count; ++s) {
    int const length = length_of_set[s];
    sets[s] = (armci_giov_t){malloc(sizeof(void*) * (size_t)(length + 1)), malloc(sizeof(void*) * (size_t)(length + 1)),
                             bytes_of_set[s], length};
    for (int i = 0; i < length; ++i) {
      sets[s].src_ptr_array[i] = source + (target_is_spread ? dense : place(s, i));
      sets[s].dst_ptr_array[i] = target + (target_is_spread ? place(s, i) : dense);
      dense += (size_t)bytes_of_set[s];
    }
  }
}

static void forget(armci_giov_t* sets) {
  for (int s = 0; s < set_count; ++s) {
    free(sets[s].src_ptr_array);
    free(sets[s].dst_ptr_array);
  }
}

static void copies(int nonblocking) {
  enum { bytes = 17 * set_count * room, most_dense = 512 };
  void** const all = shared_zeros(bytes);
  char here[most_dense], back[most_dense];
  for (int i = 0; i < most_dense; ++i) here[i] = (char)pattern(me, (size_t)i);
  memset(back, 0, sizeof back);
  int const to = next_process();
  armci_giov_t put[set_count], get[set_count];
  describe(put, here, all[to], 1);
  describe(get, all[to], back, 0);
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  if (nonblocking) {
    EQUAL(ARMCI_NbPutV(put, set_count, to, &handle), 0);
    EQUAL(ARMCI_NbGetV(get, set_count, to, &handle), 0);
    EQUAL(ARMCI_Wait(&handle), 0);
  } else {
    EQUAL(ARMCI_PutV(put, set_count, to), 0);
    EQUAL(ARMCI_GetV(get, set_count, to), 0);
  }
  int dense = 0;
  for (int s = 0; s < set_count; ++s) dense += bytes_of_set[s] * length_of_set[s];
  EQUAL(memcmp(here, back, (size_t)dense), 0);
  ARMCI_Barrier();
  int at = 0;  // what has come here
  for (int s = 0; s < set_count; ++s) {
    for (int i = 0; i < length_of_set[s]; ++i) {
      unsigned char const* const segment = (unsigned char const*)all[me] + place(s, i);
      for (int b = 0; b < bytes_of_set[s]; ++b, ++at) EQUAL(segment[b], pattern(previous_process(), (size_t)at));
    }
  }
  forget(put);
  forget(get);
  release(all);
}

/// All processes add to every second and third element of the same.
static void sums(int nonblocking) {
  enum { elements = 30 };
  void** const all = shared_zeros(elements * sizeof(double));
  double here[elements], scale = 0.5;
  void *from[elements], *to[elements];
  int const target = nproc - 1;
  for (int i = 0; i < elements; ++i) here[i] = 2 * i + 2 * me;
  armci_giov_t sets[2];
  int used = 0;
  for (int step = 2; step <= 3; ++step) {
    sets[step - 2] = (armci_giov_t){from + used, to + used, sizeof(double), elements / step};
    for (int i = 0; i < elements; i += step, ++used) {
      from[used] = here + i;
      to[used] = (double*)all[target] + i;
    }
  }
  if (nonblocking) {
    EQUAL(ARMCI_NbAccV(ARMCI_ACC_DBL, &scale, sets, 2, target, NULL), 0);
    EQUAL(ARMCI_WaitProc(target), 0);
  } else {
    EQUAL(ARMCI_AccV(ARMCI_ACC_DBL, &scale, sets, 2, target), 0);
  }
  ARMCI_Barrier();
  for (int i = 0; i < elements; ++i) {
    int const times = (i % 2 == 0) + (i % 3 == 0);
    double const expected = times * (nproc * i + nproc * (nproc - 1) / 2);
    EQUAL(ARMCI_GetValueDouble((double*)all[target] + i, target), expected);
  }
  release(all);
}

void vectors(void) {
  for (int nonblocking = 0; nonblocking < 2; ++nonblocking) {
    copies(nonblocking);
    sums(nonblocking);
  }
}
