// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Where Global Arrays puts elements: regular, irregular, restricted, and block-cyclic distributions, who owns what,
// memory that its owner accesses, and ghost cells around it.
#include "tables.h"

static int const regular_dims[] = {11, 6, 7}, flat_dims[] = {23, 17};

// --- Owners ------------------------------------------------------------------------------------------------------

// The owner of each element, as the distributions of all processes say; each element has one.
static int* owners_of(table const* t) {
  size_t const count = volume(t->ndim, whole(t->ndim, t->dims));
  int* const owners = allocate(count * sizeof(int));
  memset(owners, -1, count * sizeof(int));
  for (int rank = 0; rank < GA_Nnodes(); ++rank) {
    box const own = owned_by(t, rank);
    int index[most_dims];
    memcpy(index, own.lo, sizeof index);
    if (own.lo[0] < 0 || volume(t->ndim, own) == 0) {
      continue;
    }
    do {
      int* const owner = &owners[place(t->ndim, t->dims, index)];
      EQUAL(*owner, -1, "the owner of %s before %d", shown(t->ndim, index), rank);
      *owner = rank;
    } while (advance(t->ndim, own, index));
  }
  return owners;
}

static void check_locate(table const* t, int const owners[]) {
  box const all = whole(t->ndim, t->dims);
  int index[most_dims] = {0}, outside[most_dims] = {0};
  do {
    EQUAL(NGA_Locate(t->handle, index), owners[place(t->ndim, t->dims, index)], "NGA_Locate of %s",
          shown(t->ndim, index));
  } while (advance(t->ndim, all, index));
  outside[t->ndim - 1] = t->dims[t->ndim - 1];
  EQUAL(NGA_Locate(t->handle, outside), -1, "NGA_Locate of %s", shown(t->ndim, outside));
}

// The pieces that a region is cut into are those of their owners, and together the region.
static void check_region(table const* t, int const owners[], box b) {
  int const ndim = t->ndim;
  int* const map = allocate((size_t)(GA_Nnodes() * 2 * ndim) * sizeof(int));
  int* const ranks = allocate((size_t)GA_Nnodes() * sizeof(int));
  int const pieces = NGA_Locate_region(t->handle, b.lo, b.hi, map, ranks);
  EQUAL(NGA_Locate_nnodes(t->handle, b.lo, b.hi), pieces, "NGA_Locate_nnodes");
  size_t covered = 0;
  for (int p = 0; p < pieces; ++p) {
    box part;
    memcpy(part.lo, map + 2 * ndim * p, (size_t)ndim * sizeof(int));
    memcpy(part.hi, map + 2 * ndim * p + ndim, (size_t)ndim * sizeof(int));
    covered += volume(ndim, part);
    int index[most_dims];
    memcpy(index, part.lo, sizeof index);
    do {
      for (int d = 0; d < ndim; ++d) {
        EQUAL(index[d] >= b.lo[d] && index[d] <= b.hi[d], 1, "%s in a region", shown(ndim, index));
      }
      EQUAL(ranks[p], owners[place(ndim, t->dims, index)], "the owner of %s", shown(ndim, index));
    } while (advance(ndim, part, index));
  }
  EQUAL(covered, volume(ndim, b), "the elements of a region from %s to %s", shown(ndim, b.lo), shown(ndim, b.hi));
  free(map);
  free(ranks);
}

static void check_owners(table const* t, int salt) {
  int* const owners = owners_of(t);
  check_locate(t, owners);
  uint64_t state = start_of(salt, GA_Nodeid(), 5);
  for (int i = 0; i < 10; ++i) {
    check_region(t, owners, random_box(&state, t->ndim, whole(t->ndim, t->dims)));
  }
  free(owners);
}

// --- Distributions -----------------------------------------------------------------------------------------------

static void regular(void) {
  table t = made_table(kind_float, 3, regular_dims, 1);
  int type, ndim, dims[most_dims];
  NGA_Inquire(t.handle, &type, &ndim, dims);
  EQUAL(type, C_FLOAT, "the type");
  EQUAL(ndim, 3, "the number of dimensions");
  for (int d = 0; d < ndim; ++d) {
    EQUAL(dims[d], regular_dims[d], "dimension %d", d);
  }
  check_owners(&t, 1);
  expect_table("what owners stored", &t);
  int const twin = GA_Duplicate(t.handle, text_of("twin"));
  EQUAL(GA_Compare_distr(t.handle, twin), 0, "GA_Compare_distr of twins");
  GA_Copy(t.handle, twin);
  GA_Zero(t.handle);
  expect_all("a copy in a twin", twin, t.of, t.ndim, t.dims, t.model);
  exercise("regular", &t, 1);
  GA_Destroy(twin);
  end_table(&t);
}

// Cuts of uneven width. There may be fewer blocks than processes.
static void irregular(void) {
  int const ranks = GA_Nnodes();
  int blocks[2] = {ranks >= 4 ? 2 : 1, ranks >= 4 ? ranks / 2 : ranks};
  int map[2 + 64], *columns = map + blocks[0];
  map[0] = 0;
  map[1] = 5;
  for (int b = 0; b < blocks[1]; ++b) {
    columns[b] = b == 0 ? 0 : 3 + b;  // the first one has four columns
  }
  table t = planned(kind_long, 2, flat_dims, 2);
  t.handle = NGA_Create_irreg(t.of->id, 2, t.dims, text_of("irregular"), blocks, map);
  write_own(&t);
  for (int rank = 0; rank < blocks[0] * blocks[1]; ++rank) {
    box const own = owned_by(&t, rank);
    int const row = rank / blocks[1], column = rank % blocks[1];
    EQUAL(own.lo[0], map[row], "the first row of %d", rank);
    EQUAL(own.hi[0], row + 1 < blocks[0] ? map[row + 1] - 1 : t.dims[0] - 1, "the last row of %d", rank);
    EQUAL(own.lo[1], columns[column], "the first column of %d", rank);
    EQUAL(own.hi[1], column + 1 < blocks[1] ? columns[column + 1] - 1 : t.dims[1] - 1, "the last column of %d", rank);
  }
  check_owners(&t, 2);
  expect_table("what owners of an irregular array stored", &t);
  exercise("irregular", &t, 2);
  end_table(&t);
}

// Every other process has elements.
static void restricted(void) {
  int list[64], count = 0;
  for (int rank = 0; rank < GA_Nnodes(); rank += 2) {
    list[count++] = rank;
  }
  table t = made_with_handle(kind_dcomplex, 2, flat_dims, 3);
  GA_Set_restricted(t.handle, list, count);
  allocate_array(&t, "restricted");
  int* const owners = owners_of(&t);
  int index[most_dims] = {0};
  do {
    EQUAL(owners[place(2, t.dims, index)] % 2, 0, "the owner of %s in a restricted array", shown(2, index));
  } while (advance(2, whole(2, t.dims), index));
  free(owners);
  exercise("restricted", &t, 3);
  end_table(&t);
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.layout");
  regular();
  irregular();
  restricted();
  return finish("armci.ga.layout");
}
