/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * Distributed arrays from C: every function, on any number of processes. */
#include "check.h"

enum { rows = 13, columns = 10 };
static uint64_t const extents[] = {rows, columns};
static adlib_distribution const by_rows[] = {{ADLIB_BLOCK, 0}, {ADLIB_COLLAPSED, 0}};
static adlib_distribution const by_columns[] = {{ADLIB_COLLAPSED, 0}, {ADLIB_CYCLIC, 2}};

static double value(uint64_t const at[]) { return (double)(100 * at[0] + at[1]); }

static uint64_t own_count(adlib_array const* a) {
  uint64_t part[2];
  adlib_own(a, part);
  return part[0] * part[1];
}

static void fill(adlib_array* a) {
  double* own = adlib_own(a, NULL);
  for (uint64_t i = 0; i < own_count(a); ++i) {
    uint64_t at[2], number;
    adlib_indices(a, i, at);
    CHECK(adlib_owner(a, at, &number) == adlib_rank() && number == i);
    own[i] = value(at);
  }
}

static void remaps(void) {
  adlib_array* const a = adlib_create(2, extents, by_rows, NULL, sizeof(double));
  adlib_array* const b = adlib_create(2, extents, by_columns, NULL, sizeof(double));
  fill(b);
  adlib_remap(a, NULL, b, NULL);
  double const* own = adlib_own(a, NULL);
  for (uint64_t i = 0; i < own_count(a); ++i) {
    uint64_t at[2];
    adlib_indices(a, i, at);
    CHECK(own[i] == value(at));
  }
  /* The first row of a gets the last one of b, from the last column on. */
  adlib_slice const first[] = {{0, 1, 1}, {0, ADLIB_TO_END, 1}};
  adlib_slice const last[] = {{rows - 1, 1, 1}, {columns - 1, ADLIB_TO_END, -1}};
  adlib_remap(a, first, b, last);
  double row[columns];
  adlib_get(a, first, row, NULL);
  for (int j = 0; j < columns; ++j) CHECK(row[j] == 100 * (rows - 1) + columns - 1 - j);
  adlib_destroy(a);
  adlib_destroy(b);
}

static void transfers(void) {
  int const grid[] = {1, 0};
  adlib_array* const a = adlib_create(2, extents, by_columns, grid, sizeof(float));
  adlib_slice const part[] = {{2, 3, 4}, {1, 2, 5}};
  float const values[6] = {1, 2, 3, 4, 5, 6};
  ptrdiff_t const transposed[] = {sizeof(float), 3 * sizeof(float)};
  if (adlib_rank() + 1 == adlib_size()) {
    adlib_put(a, part, values, transposed);
    adlib_fence();
  }
  adlib_barrier();
  float got[6], all[rows * columns];
  adlib_get(a, part, got, NULL);
  adlib_get(a, NULL, all, NULL);
  for (int i = 0; i < 6; ++i) CHECK(got[i] == values[i % 2 * 3 + i / 2]);
  float sum = 0;
  for (int i = 0; i < rows * columns; ++i) sum += all[i];
  CHECK(sum == 21 && all[2 * columns + 6] == 4);
  adlib_destroy(a);
}

static void gathers(void) {
  uint64_t const count[] = {37};
  adlib_distribution const cyclic = {ADLIB_CYCLIC, 1}, block = {ADLIB_BLOCK, 0};
  adlib_array* const to = adlib_create(1, count, &cyclic, NULL, sizeof(double));
  adlib_array* const from = adlib_create(2, extents, by_rows, NULL, sizeof(double));
  adlib_array* const row = adlib_create(1, count, &block, NULL, sizeof(int));
  adlib_array* const column = adlib_create(1, count, &cyclic, NULL, sizeof(uint64_t));
  fill(from);
  int* rows_of = adlib_own(row, NULL);
  uint64_t* columns_of = adlib_own(column, NULL);
  uint64_t part, at[1];
  adlib_own(row, &part);
  for (uint64_t i = 0; i < part; ++i) adlib_indices(row, i, at), rows_of[i] = (int)(at[0] * 5 % rows);
  adlib_own(column, &part);
  for (uint64_t i = 0; i < part; ++i) adlib_indices(column, i, at), columns_of[i] = at[0] * 7 % columns;
  adlib_subscript const subscripts[] = {{row, NULL, 0}, {column, NULL, 1}};
  adlib_gather(to, NULL, from, subscripts);
  double const* got = adlib_own(to, &part);
  for (uint64_t i = 0; i < part; ++i) {
    adlib_indices(to, i, at);
    CHECK(got[i] == (double)(100 * (at[0] * 5 % rows) + at[0] * 7 % columns));
  }
  adlib_destroy(to);
  adlib_destroy(from);
  adlib_destroy(row);
  adlib_destroy(column);
}

int main(void) {
  adlib_init();
  CHECK(adlib_rank() >= 0 && adlib_rank() < adlib_size());
  remaps();
  transfers();
  gathers();
  adlib_destroy(NULL);
  int const rank = adlib_rank();
  adlib_finalize();
  if (rank == 0) puts("all checks passed");
}
