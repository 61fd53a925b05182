// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What the programs in C over Global Arrays share: checks, elements of all types, boxes of indices, random numbers.
//
// A number is a real and an imaginary part, small integers, so that float holds every sum that occurs exactly. A model
// is an array of numbers, in the order of C, that each process keeps of a whole global array.
#ifndef SHEAF_TESTS_ARMCI_GA_CHECK_H
#define SHEAF_TESTS_ARMCI_GA_CHECK_H

#include <ga.h>
#include <macdecls.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_dims = GA_MAX_DIM };

// Global Arrays takes names as char*.
static inline char* text_of(char const* name) { return (char*)(uintptr_t)name; }

// --- Failures ---------------------------------------------------------------------------------------------------

static inline void fail(char const* file, int line, char const* format, ...) {
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "%s:%d: rank %d of %d: %s\n", file, line, GA_Nodeid(), GA_Nnodes(), text);
  fflush(stderr);
  GA_Error("a check failed", 1);
  MPI_Abort(MPI_COMM_WORLD, 1);  // where GA_Error comes back
}

#define FAIL(...) fail(__FILE__, __LINE__, __VA_ARGS__)

// Both sides are long; WHAT is a format with its arguments, and says where.
#define EQUAL(got, expected, ...) equal(__FILE__, __LINE__, (long)(got), (long)(expected), __VA_ARGS__)
#define NEAR(got, expected, tolerance, ...) near(__FILE__, __LINE__, (got), (expected), (tolerance), __VA_ARGS__)

static inline void equal(char const* file, int line, long got, long expected, char const* format, ...) {
  if (got == expected) {
    return;
  }
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fail(file, line, "%s: got %ld, expected %ld", text, got, expected);
}

static inline void near(char const* file, int line, double got, double expected, double tolerance, char const* format,
                        ...) {
  if (fabs(got - expected) <= tolerance) {  // false for a NaN, too
    return;
  }
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fail(file, line, "%s: got %.17g, expected %.17g within %g", text, got, expected, tolerance);
}

static inline void* allocate(size_t bytes) {
  void* const memory = calloc(bytes + 1, 1);
  if (memory == NULL) {
    FAIL("no memory for %zu bytes", bytes);
  }
  return memory;
}

// --- Random numbers: the same on all processes for the same words ------------------------------------------------

static uint64_t run_seed = 20260101;

static inline uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static inline uint64_t start_of(int a, int b, int c) {
  return mixed(run_seed + mixed((uint64_t)a + mixed((uint64_t)b + mixed((uint64_t)c))));
}

// Of 0 .. below - 1.
static inline int pick(uint64_t* state, int below) {
  *state = mixed(*state);
  return (int)((*state >> 33) % (uint64_t)below);
}

// --- Numbers and types -------------------------------------------------------------------------------------------

typedef struct {
  double re, im;
} number;

typedef struct {
  int id;
  size_t size;
  int complex;
  char const* name;
} kind;

enum { kind_int, kind_long, kind_float, kind_double, kind_scomplex, kind_dcomplex, kind_count };

static kind const kinds[kind_count] = {
    {C_INT, sizeof(int), 0, "int"},
    {C_LONG, sizeof(long), 0, "long"},
    {C_FLOAT, sizeof(float), 0, "float"},
    {C_DBL, sizeof(double), 0, "double"},
    {C_SCPL, 2 * sizeof(float), 1, "complex"},
    {C_DCPL, 2 * sizeof(double), 1, "double complex"},
};

static inline void store(kind const* of, void* base, size_t at, number x) {
  switch (of->id) {
    case C_INT:
      ((int*)base)[at] = (int)x.re;
      break;
    case C_LONG:
      ((long*)base)[at] = (long)x.re;
      break;
    case C_FLOAT:
      ((float*)base)[at] = (float)x.re;
      break;
    case C_DBL:
      ((double*)base)[at] = x.re;
      break;
    case C_SCPL:
      ((SingleComplex*)base)[at] = (SingleComplex){(float)x.re, (float)x.im};
      break;
    default:
      ((DoubleComplex*)base)[at] = (DoubleComplex){x.re, x.im};
  }
}

static inline number load(kind const* of, void const* base, size_t at) {
  switch (of->id) {
    case C_INT:
      return (number){((int const*)base)[at], 0};
    case C_LONG:
      return (number){(double)((long const*)base)[at], 0};
    case C_FLOAT:
      return (number){((float const*)base)[at], 0};
    case C_DBL:
      return (number){((double const*)base)[at], 0};
    case C_SCPL:
      return (number){((SingleComplex const*)base)[at].real, ((SingleComplex const*)base)[at].imag};
    default:
      return (number){((DoubleComplex const*)base)[at].real, ((DoubleComplex const*)base)[at].imag};
  }
}

static inline number sum(number a, number b) { return (number){a.re + b.re, a.im + b.im}; }

static inline number product(number a, number b) {
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// A number of the type for these words, with parts in -limit .. limit.
static inline number value_of(kind const* of, int salt, long at, int limit) {
  uint64_t state = start_of(salt, (int)at, 7);
  double const re = pick(&state, 2 * limit + 1) - limit;
  double const im = pick(&state, 2 * limit + 1) - limit;
  return (number){re, of->complex ? im : 0};
}

// --- Boxes of indices --------------------------------------------------------------------------------------------

typedef struct {
  int lo[most_dims], hi[most_dims];
} box;

static inline box whole(int ndim, int const dims[]) {
  box b = {.lo = {0}};
  for (int d = 0; d < ndim; ++d) {
    b.lo[d] = 0;
    b.hi[d] = dims[d] - 1;
  }
  return b;
}

static inline box random_box(uint64_t* state, int ndim, box within) {
  box b = {.lo = {0}};
  for (int d = 0; d < ndim; ++d) {
    int const extent = within.hi[d] - within.lo[d] + 1;
    b.lo[d] = within.lo[d] + pick(state, extent);
    b.hi[d] = b.lo[d] + pick(state, within.hi[d] - b.lo[d] + 1);
  }
  return b;
}

static inline size_t volume(int ndim, box b) {
  size_t n = 1;
  for (int d = 0; d < ndim; ++d) {
    n *= b.hi[d] < b.lo[d] ? 0 : (size_t)(b.hi[d] - b.lo[d] + 1);
  }
  return n;
}

// The index after this one in the box, the last dimension fastest; false after the last one.
static inline int advance(int ndim, box b, int index[]) {
  for (int d = ndim - 1; d >= 0; --d) {
    if (++index[d] <= b.hi[d]) {
      return 1;
    }
    index[d] = b.lo[d];
  }
  return 0;
}

static inline size_t place(int ndim, int const dims[], int const index[]) {
  size_t at = 0;
  for (int d = 0; d < ndim; ++d) {
    at = at * (size_t)dims[d] + (size_t)index[d];
  }
  return at;
}

static inline char const* shown(int ndim, int const index[]) {
  static char text[4][120];
  static int turn = 0;
  char* const out = text[turn = (turn + 1) % 4];
  int used = snprintf(out, 120, "[");
  for (int d = 0; d < ndim; ++d) {
    used += snprintf(out + used, 120 - (size_t)used, d == 0 ? "%d" : ",%d", index[d]);
  }
  snprintf(out + used, 120 - (size_t)used, "]");
  return out;
}

// --- Whole arrays ------------------------------------------------------------------------------------------------

// Compares the elements of a box, dense in the buffer, with those of the model.
static inline void compare(char const* what, kind const* of, int ndim, int const dims[], box b, void const* buffer,
                           number const* model) {
  int index[most_dims];
  memcpy(index, b.lo, sizeof index);
  size_t at = 0;
  do {
    number const got = load(of, buffer, at++), expected = model[place(ndim, dims, index)];
    if (got.re != expected.re || got.im != expected.im) {
      FAIL("%s, %s at %s: got (%g, %g), expected (%g, %g)", what, of->name, shown(ndim, index), got.re, got.im,
           expected.re, expected.im);
    }
  } while (advance(ndim, b, index));
}

// Leading dimensions of a dense buffer for the box.
static inline void dense(int ndim, box b, int ld[]) {
  ld[0] = 0;
  for (int d = 1; d < ndim; ++d) {
    ld[d - 1] = b.hi[d] - b.lo[d] + 1;
  }
}

static inline void expect_box(char const* what, int handle, kind const* of, int ndim, int const dims[], box b,
                              number const* model) {
  int ld[most_dims];
  dense(ndim, b, ld);
  void* const buffer = allocate(volume(ndim, b) * of->size);
  NGA_Get(handle, b.lo, b.hi, buffer, ld);
  compare(what, of, ndim, dims, b, buffer, model);
  free(buffer);
}

static inline void expect_all(char const* what, int handle, kind const* of, int ndim, int const dims[],
                              number const* model) {
  expect_box(what, handle, of, ndim, dims, whole(ndim, dims), model);
}

// --- Start and end -----------------------------------------------------------------------------------------------

static inline void begin(int argc, char** argv, char const* name) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  if (!MA_init(MT_DBL, 500000, 500000)) {
    FAIL("MA_init");
  }
  if (argc > 1) {
    run_seed = strtoull(argv[1], NULL, 10);
  }
  if (GA_Nodeid() == 0) {
    printf("%s: seed %llu (an argument is another one)\n", name, (unsigned long long)run_seed);
    fflush(stdout);
  }
}

static inline int finish(char const* name) {
  GA_Sync();
  if (GA_Nodeid() == 0) {
    printf("%s: all checks passed with %d processes\n", name, GA_Nnodes());
    fflush(stdout);
  }
  GA_Terminate();
  MPI_Finalize();
  return 0;
}

#endif
