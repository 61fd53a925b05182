/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * Distributed arrays from C, after the Adlib library of the Parallel Compiler Runtime Consortium: arrays of 1 to 15
 * dimensions over all processes of a job, each dimension distributed in blocks or cyclically, with collective copies
 * between any two of them and one-sided transfers. docs/guide/distributed-arrays.md has the words and a program.
 *
 * A wrong argument ends the job with a text on stderr: this process's number, the function, the value, what is legal.
 */
#ifndef SHEAF_ADLIB_H
#define SHEAF_ADLIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begins, on all processes that an MPI launcher has started, or alone. The program may have called MPI_Init itself, and
 * goes on to use MPI; then it calls MPI_Finalize itself, after adlib_finalize. A second call does nothing. */
void adlib_init(void);
/* The same for the processes of a communicator: `communicator` points to an MPI_Comm of the running MPI library. */
void adlib_init_mpi(void const* communicator);
/* Collective: ends. Arrays that were not destroyed end with it. A program that exits without it ends in good order,
 * too; a second call does nothing. */
void adlib_finalize(void);

/* This process's number, and how many there are. */
int adlib_rank(void);
int adlib_size(void);
/* Returns on no process before all have called it. */
void adlib_barrier(void);

/* How the indices of a dimension lie on the coordinates of the process grid. */
enum {
  ADLIB_COLLAPSED, /* all on one */
  ADLIB_BLOCK,     /* one block for each; length 0: as short as possible */
  ADLIB_CYCLIC     /* blocks of `length` indices, dealt out in turn */
};
typedef struct {
  int kind;
  uint64_t length;
} adlib_distribution;

/* Indices first, first + step, … of a dimension: count of them. Where an array of slices is expected, one for each
 * dimension, NULL stands for all of the array. */
#define ADLIB_TO_END ((uint64_t)INT64_MAX) /* a count: as many as there are */
typedef struct {
  int64_t first;
  uint64_t count;
  int64_t step;
} adlib_slice;

typedef struct adlib_array adlib_array;

/* Collective, with equal arguments. Elements have element_bytes bytes, zero at first. `grid` has the coordinates of
 * each dimension, 0 where they are to be chosen; NULL: all are chosen, as MPI_Dims_create does. Ranks are numbered over
 * the grid in C order. */
adlib_array* adlib_create(int dimensions, uint64_t const extents[], adlib_distribution const how[], int const grid[],
                          size_t element_bytes);
/* Collective: waits for all processes first. NULL: nothing, at once. */
void adlib_destroy(adlib_array* array);

/* This process's elements, dense, in C order; their extents, unless `extents` is NULL. */
void* adlib_own(adlib_array const* array, uint64_t extents[]);
/* The indices of this process's element with that number. */
void adlib_indices(adlib_array const* array, uint64_t number, uint64_t indices[]);
/* The process that owns the element with these indices, and, unless `number` is NULL, its number there. */
int adlib_owner(adlib_array const* array, uint64_t const indices[], uint64_t* number);

/* Collective, with equal arguments: to = from, for sections of one shape. Stores and puts before it are seen. Returns
 * on no process before all elements are in place. Two different sections of one array have no element in common. */
void adlib_remap(adlib_array* to, adlib_slice const to_slices[], adlib_array const* from,
                 adlib_slice const from_slices[]);

/* Integers of 1, 2, 4 or 8 bytes that say where to gather from. */
typedef struct {
  adlib_array const* values;
  adlib_slice const* slices; /* or NULL */
  int is_unsigned;
} adlib_subscript;
/* Collective, with equal arguments: to(i...) = from(at[0](i...), at[1](i...), ...), one subscript for each dimension of
 * `from`, each of the shape of the target's section. */
void adlib_gather(adlib_array* to, adlib_slice const to_slices[], adlib_array const* from, adlib_subscript const at[]);

/* One-sided: a section to its owners, or from them. `steps`: bytes from one local element to the next in each
 * dimension; NULL: the local memory is dense, in C order. A put is done at the owners by the next adlib_fence or
 * collective copy. */
void adlib_put(adlib_array* to, adlib_slice const slices[], void const* from, ptrdiff_t const steps[]);
void adlib_get(adlib_array const* from, adlib_slice const slices[], void* to, ptrdiff_t const steps[]);
/* Returns when what this process has put is done. */
void adlib_fence(void);

#ifdef __cplusplus
}
#endif
#endif
