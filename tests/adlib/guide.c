/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * The program of docs/guide/distributed-arrays.md. */
#include <adlib.h>
#include <stdio.h>

int main(void) {
  adlib_init();
  uint64_t const extents[] = {6, 6};
  adlib_distribution const by_rows[] = {{ADLIB_BLOCK, 0}, {ADLIB_COLLAPSED, 0}};
  adlib_distribution const by_columns[] = {{ADLIB_COLLAPSED, 0}, {ADLIB_CYCLIC, 1}};
  adlib_array* a = adlib_create(2, extents, by_rows, NULL, sizeof(double));
  adlib_array* b = adlib_create(2, extents, by_columns, NULL, sizeof(double));

  uint64_t part[2], at[2];
  double* own = adlib_own(b, part);
  for (uint64_t i = 0; i < part[0] * part[1]; ++i) {
    adlib_indices(b, i, at);
    own[i] = 10.0 * at[0] + at[1];
  }
  adlib_remap(a, NULL, b, NULL); /* a = b */

  adlib_slice const corner[] = {{4, 2, 1}, {5, 3, -2}}; /* rows 4 and 5, columns 5, 3 and 1 */
  double got[2][3];
  adlib_get(a, corner, got, NULL);
  for (int i = 0; i < 2 && adlib_rank() == 0; ++i) printf("%.0f %.0f %.0f\n", got[i][0], got[i][1], got[i][2]);
  adlib_destroy(a);
  adlib_destroy(b);
  adlib_finalize();
}
