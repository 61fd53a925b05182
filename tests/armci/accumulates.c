// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// All six types: every process adds to the same elements of the same target at the same time, many times. All numbers
// are small integers, so that each sum is exact in each type.
#include "check.h"

enum { elements = 257, rounds = 20 };

typedef struct {
  int id, parts;  ///< numbers in an element
  size_t bytes;   ///< of a number
  char letter;
} kind;
static kind const kinds[] = {{ARMCI_ACC_INT, 1, sizeof(int), 'i'},   {ARMCI_ACC_LNG, 1, sizeof(long), 'l'},
                             {ARMCI_ACC_FLT, 1, sizeof(float), 'f'}, {ARMCI_ACC_DBL, 1, sizeof(double), 'd'},
                             {ARMCI_ACC_CPL, 2, sizeof(float), 'f'}, {ARMCI_ACC_DCP, 2, sizeof(double), 'd'}};

static void store(kind const* of, void* base, int at, double value) {
  char* const number = (char*)base + (size_t)at * of->bytes;
  int const i = (int)value;
  long const l = (long)value;
  float const f = (float)value;
  void const* const from = of->letter == 'i'   ? (void const*)&i
                           : of->letter == 'l' ? (void const*)&l
                           : of->letter == 'f' ? (void const*)&f
                                               : (void const*)&value;
  memcpy(number, from, of->bytes);
}

static double load(kind const* of, void const* base, int at) {
  char const* const number = (char const*)base + (size_t)at * of->bytes;
  switch (of->letter) {
    case 'i':
      return *(int const*)number;
    case 'l':
      return (double)*(long const*)number;
    case 'f':
      return *(float const*)number;
    default:
      return *(double const*)number;
  }
}

static double added(int process, int at) { return process + at % 5; }

/// The part of scale * element at number `at`, where an element has two parts: the scale is 3, or 3 + 2i.
static double scaled(kind const* of, int process, int at, int with_scale) {
  if (!with_scale) return added(process, at);
  if (of->parts == 1) return 3 * added(process, at);
  int const re = at - at % 2;
  double const a = added(process, re), b = added(process, re + 1);
  return at == re ? 3 * a - 2 * b : 2 * a + 3 * b;
}

enum how { contiguous, nonblocking, by_rows, nonblocking_rows, ways };

static void add_once(kind const* of, enum how how, void* scale, void* here, void* there, int target) {
  int const element = (int)of->bytes * of->parts;
  int const row = 16 * element;
  int count[] = {row, elements / 16}, stride[] = {row};
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  switch (how) {
    case contiguous:
      EQUAL(ARMCI_Acc(of->id, scale, here, there, elements * element, target), 0);
      break;
    case nonblocking:
      EQUAL(ARMCI_NbAcc(of->id, scale, here, there, elements * element, target, &handle), 0);
      break;
    case by_rows:
      EQUAL(ARMCI_AccS(of->id, scale, here, stride, there, stride, count, 1, target), 0);
      break;
    default:
      EQUAL(ARMCI_NbAccS(of->id, scale, here, stride, there, stride, count, 1, target, &handle), 0);
  }
  EQUAL(ARMCI_Wait(&handle), 0);
}

static void sums(kind const* of, enum how how, int with_scale) {
  size_t const bytes = (size_t)elements * of->bytes * (size_t)of->parts;
  void** const all = shared_zeros(bytes);
  void* const here = malloc(bytes);
  char scale[2 * sizeof(double)];
  store(of, scale, 0, with_scale ? 3 : 1);
  if (of->parts == 2) store(of, scale, 1, with_scale ? 2 : 0);
  int const numbers = elements * of->parts;
  for (int i = 0; i < numbers; ++i) store(of, here, i, added(me, i));
  int const target = nproc / 2;
  for (int round = 0; round < rounds; ++round) add_once(of, how, scale, here, all[target], target);
  ARMCI_Barrier();
  if (me == target) {
    int const reached = how < by_rows ? numbers : elements / 16 * 16 * of->parts;
    for (int i = 0; i < numbers; ++i) {
      double expected = 0;
      for (int p = 0; p < nproc && i < reached; ++p) expected += rounds * scaled(of, p, i, with_scale);
      EQUAL(load(of, all[me], i), expected);
    }
  }
  free(here);
  release(all);
}

/// Each process adds to a band of its own across all processes' patches, and all bands overlap.
static void overlapping_patches(void) {
  enum { side = 24, width = 9 };
  void** const all = shared_zeros(side * side * sizeof(double));
  double here[width * width], scale = 2;
  for (int i = 0; i < width * width; ++i) here[i] = 1 + me;
  int near_stride[] = {width * sizeof(double)}, far_stride[] = {side * sizeof(double)};
  int count[] = {width * sizeof(double), width};
  for (int round = 0; round < rounds; ++round) {
    for (int p = 0; p < nproc; ++p) {
      double* const corner = (double*)all[p] + (me + round) % (side - width) * (side + 1);
      EQUAL(ARMCI_AccS(ARMCI_ACC_DBL, &scale, here, near_stride, corner, far_stride, count, 1, p), 0);
    }
  }
  ARMCI_Barrier();
  double total = 0;
  for (int i = 0; i < side * side; ++i) total += ((double*)all[me])[i];
  EQUAL(total, rounds * width * width * 2.0 * nproc * (nproc + 1) / 2);
  release(all);
}

/// Elements at addresses that are no multiple of their size, as in packed records.
static void unaligned_integers(void) {
  void** const all = shared_zeros(200);
  char* const there = (char*)all[nproc - 1] + 1;
  int const values[] = {1, 2, 3}, scale = 2;
  int near_stride[] = {sizeof(int)}, far_stride[] = {sizeof(int) + 1}, count[] = {sizeof(int), 3};
  for (int round = 0; round < rounds; ++round) {
    EQUAL(ARMCI_Acc(ARMCI_ACC_INT, (void*)&scale, (void*)values, there, sizeof values, nproc - 1), 0);
    EQUAL(ARMCI_AccS(ARMCI_ACC_INT, (void*)&scale, (void*)values, near_stride, there + 50, far_stride, count, 1,
                     nproc - 1),
          0);
  }
  ARMCI_Barrier();
  for (int i = 0; i < 3 && me == nproc - 1; ++i) {
    int dense, apart;
    memcpy(&dense, there + 4 * i, sizeof dense);
    memcpy(&apart, there + 50 + 5 * i, sizeof apart);
    EQUAL(dense, rounds * nproc * 2 * (i + 1));
    EQUAL(apart, rounds * nproc * 2 * (i + 1));
  }
  release(all);
}

void accumulates(void) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    for (int how = contiguous; how < ways; ++how) {
      sums(&kinds[k], (enum how)how, 0);
      sums(&kinds[k], (enum how)how, 1);
    }
  }
  overlapping_patches();
  unaligned_integers();
}
