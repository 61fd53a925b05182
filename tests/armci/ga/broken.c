// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Linked with a test program by the linker's --wrap, so that ARMCI is wrong for it: of the kind of calls that the
// variable SHEAF_BROKEN names (put, get, acc, rmw), every third does nothing. The test must notice.
#include <armci.h>
#include <stdlib.h>
#include <string.h>

static int breaks(char const* kind) {
  static int calls = 0;
  char const* const broken = getenv("SHEAF_BROKEN");
  return broken != NULL && strcmp(broken, kind) == 0 && ++calls % 3 == 0;
}

// What is called in place of a function, and what the function itself is called then.
#define WRAPPED(kind, name, parameters, arguments) \
  int __real_##name parameters;                    \
  int __wrap_##name parameters;                    \
  int __wrap_##name parameters { return breaks(kind) ? 0 : __real_##name arguments; }

WRAPPED("put", ARMCI_PutS,
        (void* from, int* from_strides, void* to, int* to_strides, int* counts, int levels, int rank),
        (from, from_strides, to, to_strides, counts, levels, rank))
WRAPPED("put", ARMCI_NbPutS,
        (void* from, int* from_strides, void* to, int* to_strides, int* counts, int levels, int rank,
         armci_hdl_t* wait),
        (from, from_strides, to, to_strides, counts, levels, rank, wait))
WRAPPED("get", ARMCI_GetS,
        (void* from, int* from_strides, void* to, int* to_strides, int* counts, int levels, int rank),
        (from, from_strides, to, to_strides, counts, levels, rank))
WRAPPED("get", ARMCI_NbGetS,
        (void* from, int* from_strides, void* to, int* to_strides, int* counts, int levels, int rank,
         armci_hdl_t* wait),
        (from, from_strides, to, to_strides, counts, levels, rank, wait))
WRAPPED("acc", ARMCI_AccS,
        (int of, void* scale, void* from, int* from_strides, void* to, int* to_strides, int* counts, int levels,
         int rank),
        (of, scale, from, from_strides, to, to_strides, counts, levels, rank))
WRAPPED("acc", ARMCI_NbAccS,
        (int of, void* scale, void* from, int* from_strides, void* to, int* to_strides, int* counts, int levels,
         int rank, armci_hdl_t* wait),
        (of, scale, from, from_strides, to, to_strides, counts, levels, rank, wait))
WRAPPED("rmw", ARMCI_Rmw, (int operation, void* got, void* at, int value, int rank), (operation, got, at, value, rank))
