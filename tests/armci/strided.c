// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Sections of 0 to 7 levels, whose strides are odd and differ between the two sides.
#include "check.h"

enum { most = 7 };

/// A shape: count[0] bytes, and places in each level; strides of the two sides, and what they span.
typedef struct {
  int levels;
  int count[most + 1];
  int near_stride[most], far_stride[most];
  size_t near_span, far_span;
} shape;

static size_t make_strides(int* stride, int const* count, int levels, int pad) {
  size_t span = (size_t)count[0];
  for (int i = 0; i < levels; ++i) {
    stride[i] = (int)span + pad + i % 2;
    span = (size_t)stride[i] * (size_t)count[i + 1];
  }
  return span;
}

static shape make_shape(int levels, int row, int pad) {
  shape made = {.levels = levels, .count = {row}};
  for (int i = 1; i <= levels; ++i) made.count[i] = 1 + (i * 5 + levels) % 4;
  made.near_span = make_strides(made.near_stride, made.count, levels, pad);
  made.far_span = make_strides(made.far_stride, made.count, levels, 3 * pad);
  return made;
}

static int rows_in(shape const* of) {
  int rows = 1;
  for (int i = 1; i <= of->levels; ++i) rows *= of->count[i];
  return rows;
}

static size_t offset_of(shape const* of, int const* stride, int row) {
  size_t offset = 0;
  for (int i = 0; i < of->levels; ++i) {
    offset += (size_t)(row % of->count[i + 1]) * (size_t)stride[i];
    row /= of->count[i + 1];
  }
  return offset;
}

static void check_rows(shape const* of, unsigned char const* at, int const* stride, size_t span, int process) {
  unsigned char* const expected = calloc(span, 1);
  for (int row = 0; row < rows_in(of); ++row) {
    size_t const first = offset_of(of, stride, row);
    for (int i = 0; i < of->count[0]; ++i) expected[first + (size_t)i] = pattern(process, (size_t)(row * 7 + i));
  }
  for (size_t i = 0; i < span; ++i) EQUAL(at[i], expected[i]);
  free(expected);
}

static void copies(int levels, int row, int nonblocking) {
  shape s = make_shape(levels, row, 5);
  void** const all = shared_zeros(s.far_span);
  unsigned char* const here = calloc(s.near_span, 1);
  for (int r = 0; r < rows_in(&s); ++r) {
    for (int i = 0; i < row; ++i) {
      here[offset_of(&s, s.near_stride, r) + (size_t)i] = pattern(me, (size_t)(r * 7 + i));
    }
  }
  int const to = next_process();
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  if (nonblocking) {
    EQUAL(ARMCI_NbPutS(here, s.near_stride, all[to], s.far_stride, s.count, levels, to, &handle), 0);
    EQUAL(ARMCI_Wait(&handle), 0);
  } else {
    EQUAL(ARMCI_PutS(here, s.near_stride, all[to], s.far_stride, s.count, levels, to), 0);
  }
  ARMCI_Barrier();
  check_rows(&s, all[me], s.far_stride, s.far_span, previous_process());
  memset(here, 0, s.near_span);
  if (nonblocking) {
    EQUAL(ARMCI_NbGetS(all[to], s.far_stride, here, s.near_stride, s.count, levels, to, &handle), 0);
    EQUAL(ARMCI_Test(&handle), 0);
  } else {
    EQUAL(ARMCI_GetS(all[to], s.far_stride, here, s.near_stride, s.count, levels, to), 0);
  }
  check_rows(&s, here, s.near_stride, s.near_span, me);
  free(here);
  release(all);
}

/// A section of this process to a buffer and back.
static void packed(int levels, int row) {
  shape s = make_shape(levels, row, 5);
  unsigned char* const far = calloc(s.far_span, 1);
  char* const buffer = calloc((size_t)(rows_in(&s) * row), 1);
  for (int r = 0; r < rows_in(&s); ++r) {
    for (int i = 0; i < row; ++i) buffer[r * row + i] = (char)pattern(me, (size_t)(r * 7 + i));
  }
  armci_read_strided(far, levels, s.far_stride, s.count, buffer);
  check_rows(&s, far, s.far_stride, s.far_span, me);
  char* const again = calloc((size_t)(rows_in(&s) * row), 1);
  armci_write_strided(far, levels, s.far_stride, s.count, again);
  EQUAL(memcmp(buffer, again, (size_t)(rows_in(&s) * row)), 0);
  free(again);
  free(buffer);
  free(far);
}

/// Nothing is moved where a level has no place.
static void empty(void) {
  void** const all = shared_zeros(8);
  int count[] = {8, 0}, stride[] = {8};
  long here = 1;
  EQUAL(ARMCI_PutS(&here, stride, all[me], stride, count, 1, me), 0);
  EQUAL(*(long*)all[me], 0);
  release(all);
}

void strided(void) {
  for (int levels = 0; levels <= most; ++levels) {
    int const rows[] = {1, 8, 13};
    for (int i = 0; i < 3; ++i) {
      copies(levels, rows[i], 0);
      copies(levels, rows[i], 1);
      packed(levels, rows[i]);
    }
  }
  empty();
}
