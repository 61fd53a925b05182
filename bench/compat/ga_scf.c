// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// An application of Global Arrays as chemists write it: ms per iteration of a self-consistent field. The density and
/// the Fock matrix, --size squared, are global arrays in blocks of --block. A task is a quartet of blocks: its number
/// comes from NGA_Read_inc, the density's patch from NGA_Get, dgemm computes, and NGA_Acc adds to the Fock matrix. The
/// integrals are products, (ij|kl) = s(i,j) s(k,l), so that a serial program of a few lines computes the same energy.
/// The size is odd because of the peer: ARMCI-MPI over MPICH reads the second process's part 8 bytes off where the
/// first one's ends in the midst of 16 bytes.
#include <ga.h>
#include <macdecls.h>
#include <math.h>
#include <mpi.h>

#include "harness/measure.h"

extern void dgemm_(char const* transa, char const* transb, int const* m, int const* n, int const* k,
                   double const* alpha, double const* a, int const* lda, double const* b, int const* ldb,
                   double const* beta, double* c, int const* ldc);

static double const negligible = 1e-12, damping = 0.3;

struct field {
  int size, block, blocks;
  double *overlap, *largest;               // s(i,j), and the largest of each block
  double *density, *fock, *half;           // one block each
  int core, densities, focks, task_count;  // global arrays: of one electron, D, F, and the next task
};

static double position(int i) { return 0.37 * i + 0.11 * (i % 5); }

/// c = a·b, or a·bᵀ, of squares whose rows are `line` apart. BLAS counts by columns, so the order of the factors turns.
static void multiply(int n, double const* a, int line_a, double const* b, int line_b, char transposed, double* c) {
  double const one = 1, zero = 0;
  dgemm_(&transposed, "N", &n, &n, &n, &one, b, &line_b, a, &line_a, &zero, c, &n);
}

static double dot(int rows, int columns, double const* a, int line, double const* dense) {
  double sum = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) sum += a[i * line + j] * dense[i * columns + j];
  }
  return sum;
}

static double* block_of(struct field* f, int i, int j) { return f->overlap + (i * f->size + j) * f->block; }
static double largest_of(struct field const* f, int i, int j) { return f->largest[i * f->blocks + j]; }

static void bounds(struct field const* f, int i, int j, int low[2], int high[2]) {
  low[0] = i * f->block;
  low[1] = j * f->block;
  high[0] = low[0] + f->block - 1;
  high[1] = low[1] + f->block - 1;
}

/// F(I,J) += 2 (IJ|KL) D(K,L) - (IK|JL) D(K,L), where that is not negligible.
static void add_quartet(struct field* f, int i, int j, int k, int l) {
  double const coulomb = largest_of(f, i, j) * largest_of(f, k, l);
  double const exchange = largest_of(f, i, k) * largest_of(f, j, l);
  if (coulomb < negligible && exchange < negligible) return;
  int low[2], high[2], n = f->block;
  bounds(f, k, l, low, high);
  NGA_Get(f->densities, low, high, f->density, &n);
  multiply(n, block_of(f, i, k), f->size, f->density, n, 'N', f->half);
  multiply(n, f->half, n, block_of(f, j, l), f->size, 'T', f->fock);
  double const charge = 2 * dot(n, n, block_of(f, k, l), f->size, f->density);
  for (int row = 0; row < n; ++row) {
    for (int at = 0; at < n; ++at) {
      double* const to = &f->fock[row * n + at];
      *to = charge * block_of(f, i, j)[row * f->size + at] - *to;
    }
  }
  double one = 1;
  bounds(f, i, j, low, high);
  NGA_Acc(f->focks, low, high, f->fock, &n, &one);
}

static long next_task(struct field const* f) {
  int first[1] = {0};
  return NGA_Read_inc(f->task_count, first, 1);
}

/// Collective: F of D, then a new D. Returns the energy.
static double iterate(struct field* f) {
  long const n = f->blocks, tasks = n * n * n * n;
  double one = 1, keep = 1 - damping;
  GA_Zero(f->task_count);
  GA_Zero(f->focks);
  for (long t = next_task(f); t < tasks; t = next_task(f)) {
    add_quartet(f, (int)(t / (n * n * n)), (int)(t / (n * n) % n), (int)(t / n % n), (int)(t % n));
  }
  GA_Sync();
  GA_Add(&one, f->focks, &one, f->core, f->focks);
  double const energy = GA_Ddot(f->densities, f->focks) + GA_Ddot(f->densities, f->core);
  double scale = damping / sqrt(GA_Ddot(f->focks, f->focks));
  GA_Add(&keep, f->densities, &scale, f->focks, f->densities);
  return energy;
}

static double core_of(int i, int j) { return i == j ? -1.0 / (1 + i % 7) : -0.1 / (1 + abs(i - j)); }

/// The density that the iterations begin with, and the core's matrix, filled by process 0; collective.
static void begin(struct field* f) {
  GA_Zero(f->densities);
  if (GA_Nodeid() == 0) {
    double* const row = malloc((size_t)f->size * sizeof *row);
    for (int i = 0; i < f->size; ++i) {
      int low[2] = {i, 0}, high[2] = {i, f->size - 1}, diagonal[2] = {i, i}, line = f->size;
      double unit = 1 / sqrt(f->size);
      for (int j = 0; j < f->size; ++j) row[j] = core_of(i, j);
      NGA_Put(f->core, low, high, row, &line);
      NGA_Put(f->densities, diagonal, diagonal, &unit, &line);
    }
    free(row);
  }
  GA_Sync();
}

/// The energy of the last of `iterations`, by one process.
static double serial(struct field const* f, int iterations) {
  int const n = f->size, all = n * n;
  double *d = calloc((size_t)all, 8), *fock = calloc((size_t)all, 8), *half = calloc((size_t)all, 8), energy = 0;
  for (int i = 0; i < n; ++i) d[i * n + i] = 1 / sqrt(n);
  for (int r = 0; r < iterations; ++r) {
    double const charge = 2 * dot(n, n, f->overlap, n, d);
    double norm = 0;
    multiply(n, f->overlap, n, d, n, 'N', half);
    multiply(n, half, n, f->overlap, n, 'T', fock);
    energy = 0;
    for (int at = 0; at < all; ++at) {
      double const core = core_of(at / n, at % n);
      fock[at] = core + charge * f->overlap[at] - fock[at];
      energy += d[at] * (fock[at] + core);
      norm += fock[at] * fock[at];
    }
    for (int at = 0; at < all; ++at) d[at] = (1 - damping) * d[at] + damping / sqrt(norm) * fock[at];
  }
  free(d);
  free(fock);
  free(half);
  return energy;
}

static void compute_overlaps(struct field* f) {
  for (int i = 0; i < f->size; ++i) {
    for (int j = 0; j < f->size; ++j) {
      double const apart = position(i) - position(j), value = exp(-0.25 * apart * apart) / f->size;
      double* const most = &f->largest[i / f->block * f->blocks + j / f->block];
      f->overlap[i * f->size + j] = value;
      if (value > *most) *most = value;
    }
  }
}

/// Collective.
static void create(struct field* f, int size, int block) {
  int extents[2] = {size, size}, one[1] = {1};
  *f = (struct field){.size = size, .block = block, .blocks = size / block};
  f->overlap = calloc((size_t)(size * size), sizeof(double));
  f->largest = calloc((size_t)(f->blocks * f->blocks), sizeof(double));
  f->density = malloc((size_t)(block * block) * sizeof(double));
  f->fock = malloc((size_t)(block * block) * sizeof(double));
  f->half = malloc((size_t)(block * block) * sizeof(double));
  f->task_count = NGA_Create(C_LONG, 1, one, "tasks", NULL);
  f->densities = NGA_Create(C_DBL, 2, extents, "densities", NULL);
  f->focks = GA_Duplicate(f->densities, "focks");
  f->core = GA_Duplicate(f->densities, "core");
  compute_overlaps(f);
}

static void destroy(struct field* f) {
  GA_Destroy(f->densities);
  GA_Destroy(f->focks);
  GA_Destroy(f->core);
  GA_Destroy(f->task_count);
  free(f->overlap);
  free(f->largest);
  free(f->density);
  free(f->fock);
  free(f->half);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  int const size = number_of(argc, argv, "--size", 105), block = number_of(argc, argv, "--block", 15);
  int const iterations = number_of(argc, argv, "--iterations", 5), reps = reps_of(argc, argv, 5);
  check(block > 0 && size > 0 && size <= 4096 && size % block == 0, "--block does not divide --size");
  struct field f;
  create(&f, size, block);
  double const expected = serial(&f, iterations);
  static struct part time = {.name = "iteration"};
  for (int r = -1; r < reps; ++r) {
    double energy = 0;
    begin(&f);
    long long const start = now_ns();
    for (int i = 0; i < iterations; ++i) energy = iterate(&f);
    if (r >= 0) add_sample(&time.ours, (double)(now_ns() - start) / 1e6 / iterations);
    if (fabs(energy - expected) > 1e-9 * fabs(expected)) GA_Error("the energy is not the serial program's", r);
  }
  if (GA_Nodeid() == 0) print_result("ms", &time, 1);
  destroy(&f);
  GA_Terminate();
  MPI_Finalize();
}
