// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Global Arrays as programs use them beside puts and gets: distributions, ghosts, counters, locks, groups, operations
// on whole arrays, linear algebra, and segmented sums. Each process computes what must come out.
#include "check.h"

enum { rows = 13, columns = 9 };

static int matrix(char const* name, int m, int n) {
  int dims[2] = {m, n};
  int const handle = NGA_Create(C_DBL, 2, dims, text_of(name), NULL);
  if (handle == 0) {
    FAIL("NGA_Create of %s", name);
  }
  return handle;
}

static double element(int salt, int i, int j) { return (double)((i * 31 + j * 7 + salt * 11) % 17) - 8; }

// Each process stores its own part.
static void fill(int handle, int salt) {
  int lo[2], hi[2], ld[1];
  double* own;
  NGA_Distribution(handle, GA_Nodeid(), lo, hi);
  if (lo[0] >= 0 && hi[0] >= lo[0]) {
    NGA_Access(handle, lo, hi, &own, ld);
    for (int i = lo[0]; i <= hi[0]; ++i) {
      for (int j = lo[1]; j <= hi[1]; ++j) {
        own[(i - lo[0]) * ld[0] + j - lo[1]] = element(salt, i, j);
      }
    }
    NGA_Release_update(handle, lo, hi);
  }
  GA_Sync();
}

static double at(int handle, int i, int j) {
  int place[2] = {i, j}, ld[1] = {1};
  double value;
  NGA_Get(handle, place, place, &value, ld);
  return value;
}

// --- Layout ------------------------------------------------------------------------------------------------------

static void distributions(void) {
  int dims[2] = {rows, columns}, blocks[2] = {GA_Nnodes(), 1};
  int* const map = allocate((size_t)(GA_Nnodes() + 1) * sizeof(int));
  for (int p = 0; p < GA_Nnodes(); ++p) {
    map[p] = p == 0 ? 0 : p + 2;  // the first one has three rows
  }
  map[GA_Nnodes()] = 0;
  int const handle = NGA_Create_irreg(C_DBL, 2, dims, text_of("irregular"), blocks, map);
  int lo[2], hi[2];
  NGA_Distribution(handle, GA_Nodeid(), lo, hi);
  int const end = GA_Nodeid() + 1 == GA_Nnodes() ? rows - 1 : map[GA_Nodeid() + 1] - 1;
  EQUAL(lo[0], map[GA_Nodeid()], "first row of an irregular array");
  EQUAL(hi[0], end, "last row of an irregular array");
  fill(handle, 1);
  for (int i = 0; i < rows; ++i) {
    int place[2] = {i, i % columns};
    int owner = GA_Nnodes() - 1;
    while (owner > 0 && i < map[owner]) {
      --owner;
    }
    EQUAL(NGA_Locate(handle, place), owner, "the owner of row %d", i);
    NEAR(at(handle, i, i % columns), element(1, i, i % columns), 0, "row %d", i);
  }
  GA_Destroy(handle);
  free(map);
}

static void ghosts(void) {
  int dims[2] = {4 * GA_Nnodes(), 6}, width[2] = {1, 1}, chunk[2] = {4, 6};
  int const handle = NGA_Create_ghosts(C_DBL, 2, dims, width, text_of("ghosts"), chunk);
  fill(handle, 2);
  GA_Update_ghosts(handle);
  int lo[2], hi[2], with[2], ld[1];
  double* own;
  NGA_Distribution(handle, GA_Nodeid(), lo, hi);
  NGA_Access_ghosts(handle, with, &own, ld);
  for (int i = lo[0] - 1; i <= hi[0] + 1; ++i) {
    for (int j = lo[1] - 1; j <= hi[1] + 1; ++j) {
      int const around_i = (i + dims[0]) % dims[0], around_j = (j + dims[1]) % dims[1];
      double const got = own[(i - lo[0] + 1) * ld[0] + j - lo[1] + 1];
      NEAR(got, element(2, around_i, around_j), 0, "ghost or element %d, %d", i, j);
    }
  }
  GA_Sync();
  GA_Destroy(handle);
}

// --- Counters, locks, groups -------------------------------------------------------------------------------------

static void counters(void) {
  enum { turns = 50 };
  int dims[1] = {5}, place[1] = {3}, next[1] = {4}, ld[1] = {1};
  int const handle = NGA_Create(C_LONG, 1, dims, text_of("counters"), NULL);
  GA_Zero(handle);
  long before = -1;
  for (int i = 0; i < turns; ++i) {
    long const now = NGA_Read_inc(handle, place, 2);
    if (now <= before || now % 2 != 0) {
      FAIL("read_inc: got %ld after %ld", now, before);
    }
    before = now;
  }
  if (!GA_Create_mutexes(2)) {
    FAIL("GA_Create_mutexes");
  }
  for (int i = 0; i < turns; ++i) {
    long value;
    GA_Lock(1);
    GA_Init_fence();
    NGA_Get(handle, next, next, &value, ld);
    ++value;
    NGA_Put(handle, next, next, &value, ld);
    GA_Fence();
    GA_Unlock(1);
  }
  GA_Sync();
  long got[2];
  NGA_Get(handle, place, next, got, ld);
  EQUAL(got[0], 2 * turns * GA_Nnodes(), "a counter of read_inc");
  EQUAL(got[1], turns * GA_Nnodes(), "a counter under a lock");
  GA_Sync();
  GA_Destroy_mutexes();
  GA_Destroy(handle);
}

static void groups(void) {
  int const me = GA_Nodeid(), all = GA_Nnodes(), half = me % 2;
  int* const list = allocate((size_t)all * sizeof(int));
  int count = 0;
  for (int p = half; p < all; p += 2) {
    list[count++] = p;
  }
  int const group = GA_Pgroup_create(list, count);
  EQUAL(GA_Pgroup_nnodes(group), count, "the size of a group");
  EQUAL(list[GA_Pgroup_nodeid(group)], me, "the member of a group");
  GA_Pgroup_set_default(group);
  int const handle = matrix("of a group", rows, columns);
  double one = half + 1.0;
  GA_Fill(handle, &one);
  double sum = 1;
  GA_Pgroup_dgop(group, &sum, 1, text_of("+"));
  NEAR(sum, count, 0, "a sum over a group");
  NEAR(at(handle, rows - 1, columns - 1), one, 0, "an array of a group");
  GA_Sync();
  GA_Destroy(handle);
  GA_Pgroup_set_default(GA_Pgroup_get_world());
  GA_Sync();
  GA_Pgroup_destroy(group);
  long numbers[2] = {me, -me};
  GA_Lgop(numbers, 2, text_of("max"));
  EQUAL(numbers[0], all - 1, "a maximum over all");
  EQUAL(numbers[1], 0, "another one");
  double sent = me == all - 1 ? 2.5 : 0;
  GA_Brdcst(&sent, sizeof sent, all - 1);
  NEAR(sent, 2.5, 0, "a broadcast");
  free(list);
}

// --- Whole arrays ------------------------------------------------------------------------------------------------

static void whole_arrays(void) {
  int const a = matrix("a", rows, columns), b = matrix("b", rows, columns), c = matrix("c", rows, columns);
  int const t = matrix("t", columns, rows);
  double two = 2, three = 3;
  fill(a, 3);
  fill(b, 4);
  GA_Add(&two, a, &three, b, c);
  GA_Transpose(a, t);
  double dot = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      dot += element(3, i, j) * element(4, i, j);
    }
  }
  NEAR(GA_Ddot(a, b), dot, 0, "a dot product");
  for (int i = GA_Nodeid(); i < rows; i += GA_Nnodes()) {
    int const j = i % columns;
    NEAR(at(c, i, j), 2 * element(3, i, j) + 3 * element(4, i, j), 0, "a sum at %d, %d", i, j);
    NEAR(at(t, j, i), element(3, i, j), 0, "a transposed element %d, %d", j, i);
  }
  int alo[2] = {1, 2}, ahi[2] = {6, 5}, blo[2] = {3, 1}, bhi[2] = {8, 4};
  GA_Sync();
  NGA_Copy_patch('n', a, alo, ahi, b, blo, bhi);
  NGA_Scale_patch(c, alo, ahi, &two);
  for (int i = GA_Nodeid(); i < 6; i += GA_Nnodes()) {
    NEAR(at(b, 3 + i, 1 + i % 4), element(3, 1 + i, 2 + i % 4), 0, "a copied element in row %d", i);
    double const sum = 2 * element(3, 1 + i, 2 + i % 4) + 3 * element(4, 1 + i, 2 + i % 4);
    NEAR(at(c, 1 + i, 2 + i % 4), 2 * sum, 0, "a scaled element in row %d", i);
  }
  GA_Sync();
  GA_Elem_multiply(a, a, c);
  GA_Abs_value(a);
  NEAR(at(c, 4, 4), element(3, 4, 4) * element(3, 4, 4), 0, "a product of elements");
  NEAR(at(a, 5, 5), fabs(element(3, 5, 5)), 0, "an absolute value");
  GA_Sync();
  GA_Destroy(a), GA_Destroy(b), GA_Destroy(c), GA_Destroy(t);
}

static void segmented_sums(void) {
  enum { length = 40, every = 6 };
  int dims[1] = {length}, ld[1] = {1}, lo[1] = {0}, hi[1] = {length - 1};
  int const bits = NGA_Create(C_INT, 1, dims, text_of("bits"), NULL);
  int const from = NGA_Create(C_INT, 1, dims, text_of("from"), NULL);
  int const to = NGA_Create(C_INT, 1, dims, text_of("to"), NULL);
  int values[length], begins[length], sums[length];
  for (int i = 0; i < length; ++i) {
    values[i] = i % 5 + 1;
    begins[i] = i % every == 0;
  }
  if (GA_Nodeid() == 0) {
    NGA_Put(from, lo, hi, values, ld);
    NGA_Put(bits, lo, hi, begins, ld);
  }
  GA_Sync();
  GA_Scan_add(from, to, bits, 0, length - 1, 0);
  NGA_Get(to, lo, hi, sums, ld);
  int sum = 0;
  for (int i = 0; i < length; ++i) {
    sum = begins[i] ? values[i] : sum + values[i];
    EQUAL(sums[i], sum, "a segmented sum at %d", i);
  }
  GA_Sync();
  GA_Scan_copy(from, to, bits, 0, length - 1);
  NGA_Get(to, lo, hi, sums, ld);
  for (int i = 0; i < length; ++i) {
    EQUAL(sums[i], values[i / every * every], "a segmented copy at %d", i);
  }
  GA_Sync();
  GA_Destroy(bits), GA_Destroy(from), GA_Destroy(to);
}

// --- Linear algebra ----------------------------------------------------------------------------------------------

static void products(void) {
  int const a = matrix("a", rows, columns), b = matrix("b", columns, rows), c = matrix("c", rows, rows);
  fill(a, 5);
  fill(b, 6);
  GA_Zero(c);
  GA_Dgemm('n', 'n', rows, rows, columns, 2.0, a, b, 0.0, c);
  for (int i = GA_Nodeid(); i < rows; i += GA_Nnodes()) {
    for (int j = 0; j < rows; ++j) {
      double sum = 0;
      for (int k = 0; k < columns; ++k) {
        sum += element(5, i, k) * element(6, k, j);
      }
      NEAR(at(c, i, j), 2 * sum, 1e-10, "a product at %d, %d", i, j);
    }
  }
  GA_Sync();
  GA_Destroy(a), GA_Destroy(b), GA_Destroy(c);
}

// A matrix with a heavy diagonal, its solution known.
static void solving(void) {
  int const a = matrix("a", rows, rows), x = matrix("x", 1, rows), b = matrix("b", 1, rows);
  double const heavy = 100;
  fill(a, 7);
  fill(x, 8);
  double* const diagonal = allocate(rows * sizeof(double));
  for (int i = 0; i < rows; ++i) {
    diagonal[i] = element(7, i, i) + heavy;
  }
  for (int i = GA_Nodeid(); i < rows; i += GA_Nnodes()) {
    int place[2] = {i, i}, ld[1] = {1};
    NGA_Put(a, place, place, &diagonal[i], ld);
  }
  GA_Sync();
  GA_Dgemm('n', 'n', 1, rows, rows, 1.0, x, a, 0.0, b);
  GA_Lu_solve('n', a, b);
  for (int i = GA_Nodeid(); i < rows; i += GA_Nnodes()) {
    NEAR(at(b, 0, i), element(8, 0, i), 1e-9, "a solution at %d", i);
  }
  GA_Sync();
  GA_Destroy(a), GA_Destroy(x), GA_Destroy(b);
  free(diagonal);
}

// A symmetric matrix times its vectors is these times its values.
static void eigenvectors(void) {
  int const s = matrix("s", rows, rows), v = matrix("v", rows, rows), product = matrix("sv", rows, rows);
  double values[rows];
  fill(s, 9);
  GA_Symmetrize(s);
  GA_Diag_std_seq(s, v, values);
  GA_Dgemm('n', 't', rows, rows, rows, 1.0, s, v, 0.0, product);  // as Fortran sees it, v's vectors are its columns
  double worst = 0, other = 0;
  for (int i = GA_Nodeid(); i < rows; i += GA_Nnodes()) {
    for (int j = 0; j < rows; ++j) {
      worst = fmax(worst, fabs(at(product, i, j) - values[j] * at(v, j, i)));
    }
  }
  GA_Zero(product);
  GA_Dgemm('n', 'n', rows, rows, rows, 1.0, s, v, 0.0, product);
  for (int i = GA_Nodeid(); i < rows; i += GA_Nnodes()) {
    for (int j = 0; j < rows; ++j) {
      other = fmax(other, fabs(at(product, i, j) - values[j] * at(v, i, j)));
    }
  }
  double residuals[2] = {worst, other};
  GA_Dgop(residuals, 2, text_of("max"));
  NEAR(fmin(residuals[0], residuals[1]), 0, 1e-8, "the residual of the eigenvectors");
  GA_Sync();
  GA_Destroy(s), GA_Destroy(v), GA_Destroy(product);
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.arrays");
  distributions();
  ghosts();
  counters();
  groups();
  whole_arrays();
  segmented_sums();
  products();
  solving();
  eigenvectors();
  return finish("armci.ga.arrays");
}
