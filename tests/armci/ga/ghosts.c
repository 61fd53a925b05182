// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Copies of neighbours' elements around what each process owns: the ghost cells of Global Arrays, which wrap around.
//
// NGA_NbGet_ghost_dir is left out: over any ARMCI it refuses masks that its documentation gives.
#include "tables.h"

typedef struct {
  table t;
  int width[most_dims];
} haloed;

// The part of this process with its ghost cells, whose indices may lie outside of the array.
static box own_with_ghosts(haloed const* h) {
  box own = owned_by(&h->t, GA_Nodeid());
  for (int d = 0; d < h->t.ndim; ++d) {
    own.lo[d] -= h->width[d];
    own.hi[d] += h->width[d];
  }
  return own;
}

static number wrapped(table const* t, int const index[]) {
  int inside[most_dims];
  for (int d = 0; d < t->ndim; ++d) {
    inside[d] = (index[d] + t->dims[d]) % t->dims[d];
  }
  return t->model[place(t->ndim, t->dims, inside)];
}

// In how many dimensions the index lies outside of what the process owns.
static int beyond(haloed const* h, box own, int const index[]) {
  int n = 0;
  for (int d = 0; d < h->t.ndim; ++d) {
    n += index[d] < own.lo[d] || index[d] > own.hi[d];
  }
  return n;
}

// All ghost cells that are outside in at most so many dimensions; with 1, no corners.
static void expect_ghosts(char const* what, haloed const* h, int most_beyond) {
  box const own = owned_by(&h->t, GA_Nodeid()), all = own_with_ghosts(h);
  int extents[most_dims], ld[most_dims], index[most_dims], ndim = h->t.ndim;
  void* memory;
  NGA_Access_ghosts(h->t.handle, extents, &memory, ld);
  for (int d = 0; d < ndim; ++d) {
    EQUAL(extents[d], all.hi[d] - all.lo[d] + 1, "%s: the extent with ghosts of dimension %d", what, d);
    EQUAL(d + 1 < ndim ? ld[d] : 0, d + 1 < ndim ? extents[d + 1] : 0, "%s: leading dimension %d", what, d);
  }
  memcpy(index, all.lo, sizeof index);
  size_t at = 0;
  do {
    number const got = load(h->t.of, memory, at++), expected = wrapped(&h->t, index);
    if (beyond(h, own, index) <= most_beyond && (got.re != expected.re || got.im != expected.im)) {
      FAIL("%s, %s, ghost or element %s of the part %s to %s: got (%g, %g), expected (%g, %g)", what, h->t.of->name,
           shown(ndim, index), shown(ndim, own.lo), shown(ndim, own.hi), got.re, got.im, expected.re, expected.im);
    }
  } while (advance(ndim, all, index));
  NGA_Release_ghosts(h->t.handle);
}

static haloed with_ghosts(int of, int ndim, int const dims[], int const width[], int salt) {
  haloed h = {.t = planned(of, ndim, dims, salt)};
  memcpy(h.width, width, (size_t)ndim * sizeof(int));
  h.t.handle = NGA_Create_ghosts(h.t.of->id, ndim, h.t.dims, h.width, text_of("ghosts"), NULL);
  EQUAL(GA_Has_ghosts(h.t.handle), 1, "GA_Has_ghosts");
  write_own(&h.t);
  return h;
}

// Changes the model and the array, and leaves the ghosts as they are.
static void change(haloed* h, int salt) {
  table next = planned((int)(h->t.of - kinds), h->t.ndim, h->t.dims, salt);
  size_t const bytes = volume(next.ndim, whole(next.ndim, next.dims)) * sizeof(number);
  memcpy(h->t.model, next.model, bytes);
  free(next.model);
  GA_Sync();
  put_rows(&h->t);
}

static void in_two_dimensions(void) {
  int const dims[2] = {16, 14}, width[2] = {1, 2};
  haloed h = with_ghosts(kind_double, 2, dims, width, 1);
  GA_Update_ghosts(h.t.handle);
  expect_ghosts("GA_Update_ghosts", &h, 2);
  exercise("with ghosts", &h.t, 1);
  GA_Sync();
  GA_Update_ghosts(h.t.handle);
  expect_ghosts("GA_Update_ghosts after sums", &h, 2);
  change(&h, 2);
  for (int d = 0; d < 2; ++d) {
    EQUAL(NGA_Update_ghost_dir(h.t.handle, d, 1, 1), 1, "NGA_Update_ghost_dir");
    EQUAL(NGA_Update_ghost_dir(h.t.handle, d, -1, 1), 1, "NGA_Update_ghost_dir");
  }
  expect_ghosts("NGA_Update_ghost_dir", &h, 2);
  end_table(&h.t);
}

static void in_three_dimensions(void) {
  int const dims[3] = {6, 14, 9}, width[3] = {1, 2, 1};
  haloed h = with_ghosts(kind_scomplex, 3, dims, width, 3);
  ga_nbhdl_t wait;
  NGA_Update_ghosts_nb(h.t.handle, &wait);
  NGA_NbWait(&wait);
  GA_Sync();
  expect_ghosts("NGA_Update_ghosts_nb", &h, 1);
  change(&h, 4);
  GA_Update_ghosts(h.t.handle);
  expect_ghosts("GA_Update_ghosts", &h, 3);
  end_table(&h.t);
}

// A block with ghosts around it comes from the process's own copies where they hold it.
static void blocks_with_ghosts(void) {
  int dims[1] = {29}, width[1] = {2};
  haloed h = with_ghosts(kind_int, 1, dims, width, 5);
  GA_Update_ghosts(h.t.handle);
  box const own = own_with_ghosts(&h);
  if (owned_by(&h.t, GA_Nodeid()).lo[0] >= 0) {
    int got[40], ld[1] = {0}, *memory;
    box b = own;
    b.lo[0] = b.lo[0] < 0 ? 0 : b.lo[0];
    b.hi[0] = b.hi[0] >= dims[0] ? dims[0] - 1 : b.hi[0];
    NGA_Get_ghost_block(h.t.handle, b.lo, b.hi, got, ld);
    compare("NGA_Get_ghost_block", h.t.of, 1, dims, b, got, h.t.model);
    for (int i = 0; i <= own.hi[0] - own.lo[0]; ++i) {
      int at[1] = {i}, raw[1] = {own.lo[0] + i};
      NGA_Access_ghost_element(h.t.handle, &memory, at, ld);
      EQUAL(*memory, wrapped(&h.t, raw).re, "NGA_Access_ghost_element of %d", raw[0]);
      NGA_Release_ghost_element(h.t.handle, at);
    }
  }
  GA_Sync();
  end_table(&h.t);
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.ghosts");
  in_two_dimensions();
  in_three_dimensions();
  blocks_with_ghosts();
  return finish("armci.ga.ghosts");
}
