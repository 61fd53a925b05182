// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Global arrays that keep a model of what must stand in them, and puts and sums that change both.
#ifndef SHEAF_TESTS_ARMCI_GA_TABLES_H
#define SHEAF_TESTS_ARMCI_GA_TABLES_H

#include "check.h"

// A global array and what must stand in it.
typedef struct {
  int handle, ndim;
  int dims[most_dims];
  kind const* of;
  number* model;
} table;

// No array yet: random values for one.
static inline table planned(int of, int ndim, int const dims[], int salt) {
  table t = {.ndim = ndim, .of = &kinds[of]};
  memcpy(t.dims, dims, (size_t)ndim * sizeof dims[0]);
  size_t const count = volume(ndim, whole(ndim, dims));
  t.model = allocate(count * sizeof(number));
  for (size_t at = 0; at < count; ++at) {
    t.model[at] = value_of(t.of, salt, (long)at, 9);
  }
  return t;
}

static inline box owned_by(table const* t, int rank) {
  box own;
  NGA_Distribution(t->handle, rank, own.lo, own.hi);
  return own;
}

// Writes the model's part of the box to memory of the array, whose rows have these leading dimensions.
static inline void write_box(table const* t, box b, void* memory, int const ld[]) {
  int index[most_dims];
  memcpy(index, b.lo, sizeof index);
  if (volume(t->ndim, b) == 0) {
    return;
  }
  do {
    size_t at = 0;
    for (int d = 0; d < t->ndim; ++d) {
      at = at * (size_t)(d == 0 ? 1 : ld[d - 1]) + (size_t)(index[d] - b.lo[d]);
    }
    store(t->of, memory, at, t->model[place(t->ndim, t->dims, index)]);
  } while (advance(t->ndim, b, index));
}

// Each process stores what it owns.
static inline void write_own(table const* t) {
  box own = owned_by(t, GA_Nodeid());
  if (own.lo[0] >= 0 && volume(t->ndim, own) > 0) {
    void* memory;
    int ld[most_dims];
    NGA_Access(t->handle, own.lo, own.hi, &memory, ld);
    write_box(t, own, memory, ld);
    NGA_Release_update(t->handle, own.lo, own.hi);
  }
  GA_Sync();
}

static inline table made_table(int of, int ndim, int const dims[], int salt) {
  table t = planned(of, ndim, dims, salt);
  t.handle = NGA_Create(t.of->id, ndim, t.dims, text_of("table"), NULL);
  if (t.handle == 0) {
    FAIL("NGA_Create of %s with dimensions %s", t.of->name, shown(ndim, dims));
  }
  write_own(&t);
  return t;
}

static inline void expect_table(char const* what, table const* t) {
  expect_all(what, t->handle, t->of, t->ndim, t->dims, t->model);
}

static inline void end_table(table* t) {
  free(t->model);
  GA_Destroy(t->handle);
}

static inline table made_with_handle(int of, int ndim, int const dims[], int salt) {
  table t = planned(of, ndim, dims, salt);
  t.handle = GA_Create_handle();
  GA_Set_data(t.handle, ndim, t.dims, t.of->id);
  return t;
}

static inline void allocate_array(table const* t, char const* name) {
  GA_Set_array_name(t->handle, text_of(name));
  EQUAL(GA_Allocate(t->handle), 1, "GA_Allocate of a %s array", name);
  if (strcmp(GA_Inquire_name(t->handle), name) != 0) {
    FAIL("GA_Inquire_name: got '%s', expected '%s'", GA_Inquire_name(t->handle), name);
  }
}

// --- Puts and sums, whatever the distribution ---------------------------------------------------------------------

// A dense buffer with the values of a box.
static inline void* copy_of(table const* t, box b, int ld[]) {
  dense(t->ndim, b, ld);
  void* const buffer = allocate(volume(t->ndim, b) * t->of->size);
  write_box(t, b, buffer, ld);
  return buffer;
}

// Each process puts its share of the rows.
static inline void put_rows(table const* t) {
  box mine = whole(t->ndim, t->dims);
  mine.lo[0] = t->dims[0] * GA_Nodeid() / GA_Nnodes();
  mine.hi[0] = t->dims[0] * (GA_Nodeid() + 1) / GA_Nnodes() - 1;
  if (volume(t->ndim, mine) > 0) {
    int ld[most_dims];
    void* const buffer = copy_of(t, mine, ld);
    NGA_Put(t->handle, mine.lo, mine.hi, buffer, ld);
    free(buffer);
  }
  GA_Sync();
}

// Each process adds the values of a box of its own; all know all boxes.
static inline void add_boxes(table const* t, int salt) {
  size_t const count = volume(t->ndim, whole(t->ndim, t->dims));
  number* const old = allocate(count * sizeof(number));
  memcpy(old, t->model, count * sizeof(number));
  for (int rank = 0; rank < GA_Nnodes(); ++rank) {
    uint64_t state = start_of(salt, rank, 3);
    box b = random_box(&state, t->ndim, whole(t->ndim, t->dims));
    if (rank == GA_Nodeid()) {
      table const before = {.ndim = t->ndim, .of = t->of, .model = old};
      table source = before;
      memcpy(source.dims, t->dims, sizeof source.dims);
      int ld[most_dims];
      void* const buffer = copy_of(&source, b, ld);
      DoubleComplex one;
      store(t->of, &one, 0, (number){1, 0});
      NGA_Acc(t->handle, b.lo, b.hi, buffer, ld, &one);
      free(buffer);
    }
    int index[most_dims];
    memcpy(index, b.lo, sizeof index);
    do {
      size_t const at = place(t->ndim, t->dims, index);
      t->model[at] = sum(t->model[at], old[at]);
    } while (advance(t->ndim, b, index));
  }
  free(old);
  GA_Sync();
}

static inline void exercise(char const* what, table* t, int salt) {
  put_rows(t);
  expect_table(what, t);
  GA_Sync();
  add_boxes(t, salt);
  expect_table(what, t);
}

#endif
