// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Linear algebra of Global Arrays: systems of equations, inverses and eigenvectors, each put into its equation.
//
// GA_Lu_solve of a transposed matrix is left out: ScaLAPACK refuses what Debian's Global Arrays passes to it.
#include "tables.h"

enum { order = 11, sides = 3 };

// The whole array, as it is now.
static number* fetched(int handle, kind const* of, int m, int n) {
  int lo[2] = {0, 0}, hi[2] = {m - 1, n - 1}, ld[1] = {n};
  void* const buffer = allocate((size_t)(m * n) * of->size);
  number* const values = allocate((size_t)(m * n) * sizeof(number));
  NGA_Get(handle, lo, hi, buffer, ld);
  for (size_t at = 0; at < (size_t)(m * n); ++at) {
    values[at] = load(of, buffer, at);
  }
  free(buffer);
  return values;
}

// --- Equations ---------------------------------------------------------------------------------------------------

// A symmetric matrix with a heavy diagonal, so positive definite.
static table heavy(int salt, int symmetric) {
  table t = made_table(kind_double, 2, (int[]){order, order}, salt);
  GA_Sync();
  for (int i = 0; i < order; ++i) {
    for (int j = 0; j < i && symmetric; ++j) {
      t.model[i * order + j] = t.model[j * order + i];
    }
    t.model[i * order + i].re += 200;
  }
  write_own(&t);
  return t;
}

// In Fortran's order the matrices are transposed: each row of X is a solution x of A' x = b.
static void expect_solved(char const* what, table const* a, int x, table const* b) {
  number* const solution = fetched(x, a->of, sides, order);
  for (int i = 0; i < sides * order; ++i) {
    double residual = -b->model[i].re;
    int const side = i / order, column = i % order;
    for (int k = 0; k < order; ++k) {
      residual += solution[side * order + k].re * a->model[k * order + column].re;
    }
    NEAR(residual, 0, 1e-10, "%s, the residual at %d of right side %d", what, column, side);
  }
  free(solution);
}

static void equations(void) {
  table a = heavy(20, 0), s = heavy(21, 1), b = made_table(kind_double, 2, (int[]){sides, order}, 22);
  int const copy = GA_Duplicate(a.handle, text_of("copy")), x = GA_Duplicate(b.handle, text_of("x"));
  GA_Copy(a.handle, copy);
  GA_Copy(b.handle, x);
  GA_Lu_solve('n', copy, x);
  expect_solved("GA_Lu_solve", &a, x, &b);
  GA_Copy(s.handle, copy);
  GA_Copy(b.handle, x);
  EQUAL(GA_Llt_solve(copy, x), 0, "GA_Llt_solve");
  expect_solved("GA_Llt_solve", &s, x, &b);
  if (GA_Nnodes() < 5) {  // with few cores, synchronisation may take long
    GA_Copy(s.handle, copy);
    GA_Copy(b.handle, x);
    EQUAL(GA_Solve(copy, x), 0, "GA_Solve");
    expect_solved("GA_Solve", &s, x, &b);
  }
  GA_Destroy(copy);
  GA_Destroy(x);
  end_table(&a);
  end_table(&s);
  end_table(&b);
}

static void inverses(void) {
  table s = heavy(23, 1);
  int const copy = GA_Duplicate(s.handle, text_of("copy"));
  GA_Copy(s.handle, copy);
  EQUAL(GA_Spd_invert(copy), 0, "GA_Spd_invert");
  number* const inverse = fetched(copy, s.of, order, order);
  for (int i = 0; i < order * order; ++i) {
    double residual = i / order == i % order ? -1 : 0;
    for (int k = 0; k < order; ++k) {
      residual += s.model[i / order * order + k].re * inverse[k * order + i % order].re;
    }
    NEAR(residual, 0, 1e-10, "GA_Spd_invert, at %d, %d", i / order, i % order);
  }
  free(inverse);
  GA_Destroy(copy);
  end_table(&s);
}

// --- Eigenvectors ------------------------------------------------------------------------------------------------

// Row I of V is a vector with A v = value[I] B v; B is the identity where there is none.
static void expect_eigenvectors(char const* what, table const* a, table const* b, int v, double const values[]) {
  number* const vectors = fetched(v, a->of, order, order);
  for (int i = 0; i < order * order; ++i) {
    int const which = i / order, row = i % order;
    double left = 0, right = b == NULL ? vectors[i].re : 0, size = 0;
    for (int k = 0; k < order; ++k) {
      left += a->model[row * order + k].re * vectors[which * order + k].re;
      right += b == NULL ? 0 : b->model[row * order + k].re * vectors[which * order + k].re;
      size += fabs(vectors[which * order + k].re);
    }
    NEAR(left - values[which] * right, 0, 1e-9, "%s, vector %d at %d", what, which, row);
    EQUAL(size > 1e-6, 1, "%s: vector %d is not null", what, which);
    EQUAL(which == 0 || values[which - 1] <= values[which], 1, "%s: value %d is in order", what, which);
  }
  free(vectors);
}

static void eigenvectors(void) {
  table a = heavy(30, 1), b = heavy(31, 1);
  int const v = GA_Duplicate(a.handle, text_of("v")), copy = GA_Duplicate(a.handle, text_of("copy")),
            other = GA_Duplicate(a.handle, text_of("other"));
  double values[order];
  GA_Copy(a.handle, copy);
  GA_Diag_std_seq(copy, v, values);
  expect_eigenvectors("GA_Diag_std_seq", &a, NULL, v, values);
  GA_Copy(a.handle, copy);
  GA_Copy(b.handle, other);
  GA_Diag_seq(copy, other, v, values);
  expect_eigenvectors("GA_Diag_seq", &a, &b, v, values);
  GA_Destroy(v);
  GA_Destroy(copy);
  GA_Destroy(other);
  end_table(&a);
  end_table(&b);
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.linear");
  equations();
  if (GA_Nnodes() < 5) {
    inverses();
  }
  eigenvectors();
  return finish("armci.ga.linear");
}
