// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Matrices of Global Arrays: products of whole ones and of patches, transposes, diagonals, norms. All results are
// exact.
//
// GA_Zero_diagonal is left out: over any ARMCI it zeroes other elements where a part has none of the diagonal.
#include "tables.h"

enum { order = 17 };

static table square(int of, int salt) { return made_table(of, 2, (int[]){order, order}, salt); }

// --- Products ----------------------------------------------------------------------------------------------------

static number of_matrix(table const* t, char turned, int i, int j) {
  return t->model[turned == 't' ? j * t->dims[1] + i : i * t->dims[1] + j];
}

static void multiply(kind const* of, char ta, char tb, int const mnk[], number alpha, table const* a, table const* b,
                     number beta, table const* c) {
  int const m = mnk[0], n = mnk[1], k = mnk[2], x = a->handle, y = b->handle, z = c->handle;
  SingleComplex const alpha1 = {(float)alpha.re, (float)alpha.im}, beta1 = {(float)beta.re, (float)beta.im};
  DoubleComplex const alpha2 = {alpha.re, alpha.im}, beta2 = {beta.re, beta.im};
  switch (of - kinds) {
    case kind_float:
      GA_Sgemm(ta, tb, m, n, k, (float)alpha.re, x, y, (float)beta.re, z);
      break;
    case kind_double:
      GA_Dgemm(ta, tb, m, n, k, alpha.re, x, y, beta.re, z);
      break;
    case kind_scomplex:
      GA_Cgemm(ta, tb, m, n, k, alpha1, x, y, beta1, z);
      break;
    default:
      GA_Zgemm(ta, tb, m, n, k, alpha2, x, y, beta2, z);
  }
}

// C = alpha op(A) op(B) + beta C, for parts of the matrices' sizes given by boxes.
static void model_product(char ta, char tb, number alpha, table const* a, box at_a, table const* b, box at_b,
                          number beta, table* c, box at_c) {
  int const k = ta == 't' ? at_a.hi[0] - at_a.lo[0] + 1 : at_a.hi[1] - at_a.lo[1] + 1;
  int const left = ta == 't', right = tb == 't', index0[2] = {at_c.lo[0], at_c.lo[1]};
  int index[2] = {index0[0], index0[1]};
  do {
    int const i = index[0] - index0[0], j = index[1] - index0[1];
    number total = {0, 0};
    for (int s = 0; s < k; ++s) {
      number const x = of_matrix(a, ta, i + at_a.lo[left], s + at_a.lo[!left]);
      number const y = of_matrix(b, tb, s + at_b.lo[right], j + at_b.lo[!right]);
      total = sum(total, product(x, y));
    }
    number* const out = &c->model[index[0] * c->dims[1] + index[1]];
    *out = sum(product(alpha, total), product(beta, *out));
  } while (advance(2, at_c, index));
}

static void whole_products(int of, int turns) {
  char const ta = turns & 1 ? 't' : 'n', tb = turns & 2 ? 't' : 'n';
  int const mnk[3] = {13, 11, 9};
  int const a_dims[2] = {ta == 't' ? 9 : 13, ta == 't' ? 13 : 9}, b_dims[2] = {tb == 't' ? 11 : 9, tb == 't' ? 9 : 11};
  table a = made_table(of, 2, a_dims, 1), b = made_table(of, 2, b_dims, 2), c = made_table(of, 2, mnk, 3);
  number const alpha = value_of(a.of, 4, of, 3), beta = value_of(a.of, 5, of, 3);
  multiply(a.of, ta, tb, mnk, alpha, &a, &b, beta, &c);
  model_product(ta, tb, alpha, &a, whole(2, a_dims), &b, whole(2, b_dims), beta, &c, whole(2, mnk));
  expect_table("a product", &c);
  box at_a = {.lo = {2, 1}, .hi = {6, 7}}, at_b = {.lo = {1, 3}, .hi = {7, 6}}, at_c = {.lo = {4, 5}, .hi = {8, 8}};
  if (ta == 'n' && tb == 'n') {
    DoubleComplex one, other;
    store(a.of, &one, 0, alpha);
    store(a.of, &other, 0, beta);
    NGA_Matmul_patch('n', 'n', &one, &other, a.handle, at_a.lo, at_a.hi, b.handle, at_b.lo, at_b.hi, c.handle, at_c.lo,
                     at_c.hi);
    model_product('n', 'n', alpha, &a, at_a, &b, at_b, beta, &c, at_c);
    expect_table("a product of patches", &c);
  }
  end_table(&a);
  end_table(&b);
  end_table(&c);
}

// All of them with up to two processes, and some with more, where synchronisation may take long.
static void products(void) {
  for (int of = kind_float; of < kind_count; ++of) {
    for (int turns = 0; turns < 4; ++turns) {
      if (GA_Nnodes() < 3 || ((of + turns + GA_Nnodes()) % 4 == 0 && of % 2 == GA_Nnodes() % 2)) {
        whole_products(of, turns);
      }
    }
  }
}

// --- Shapes and diagonals ----------------------------------------------------------------------------------------

static void transposes(void) {
  int const dims[2] = {order, 11}, turned[2] = {11, order};
  table a = made_table(kind_long, 2, dims, 10), b = made_table(kind_long, 2, turned, 11), s = square(kind_double, 12);
  GA_Transpose(a.handle, b.handle);
  for (int i = 0; i < order * 11; ++i) {
    b.model[i % 11 * order + i / 11] = a.model[i];
  }
  expect_table("GA_Transpose", &b);
  table const old = planned(kind_double, 2, s.dims, 12);
  GA_Symmetrize(s.handle);
  for (int i = 0; i < order * order; ++i) {
    s.model[i].re = (old.model[i].re + old.model[i % order * order + i / order].re) / 2;
  }
  expect_table("GA_Symmetrize", &s);
  free(old.model);
  end_table(&a);
  end_table(&b);
  end_table(&s);
}

static void diagonals(void) {
  table a = square(kind_double, 13), v = made_table(kind_double, 1, (int[]){order}, 14);
  double shift = 5;
  GA_Add_diagonal(a.handle, v.handle);
  GA_Shift_diagonal(a.handle, &shift);
  for (int i = 0; i < order; ++i) {
    a.model[i * order + i].re += v.model[i].re + shift;
  }
  expect_table("GA_Add_diagonal, GA_Shift_diagonal", &a);
  GA_Set_diagonal(a.handle, v.handle);
  GA_Scale_rows(a.handle, v.handle);
  for (int i = 0; i < order * order; ++i) {
    int const row = i / order, column = i % order;
    a.model[i].re = (row == column ? v.model[row].re : a.model[i].re) * v.model[row].re;
  }
  expect_table("GA_Set_diagonal, GA_Scale_rows", &a);
  GA_Get_diag(a.handle, v.handle);
  GA_Scale_cols(a.handle, v.handle);
  for (int i = 0; i < order; ++i) {
    v.model[i] = a.model[i * order + i];
  }
  for (int i = 0; i < order * order; ++i) {
    a.model[i].re *= v.model[i % order].re;
  }
  expect_table("GA_Get_diag", &v);
  expect_table("GA_Scale_cols", &a);
  end_table(&a);
  end_table(&v);
}

// Of a vector: Global Arrays sums all elements of a matrix, too.
static void norms(void) {
  int const dims[1] = {101};
  table a = made_table(kind_double, 1, dims, 15);
  double all = 0, largest = 0, got[2];
  for (int i = 0; i < dims[0]; ++i) {
    all += fabs(a.model[i].re);
    largest = fmax(largest, fabs(a.model[i].re));
  }
  GA_Norm1(a.handle, &got[0]);
  GA_Norm_infinity(a.handle, &got[1]);
  NEAR(got[0], all, 0, "GA_Norm1");
  NEAR(got[1], largest, 0, "GA_Norm_infinity");
  end_table(&a);
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.products");
  products();
  transposes();
  diagonals();
  norms();
  return finish("armci.ga.products");
}
