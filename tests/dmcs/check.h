/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors */
#ifndef SHEAF_TESTS_DMCS_CHECK_H
#define SHEAF_TESTS_DMCS_CHECK_H

#include <dmcs.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                            \
  do {                                                                                              \
    if (!(condition)) {                                                                             \
      fprintf(stderr, "[%d] %s:%d: %s is wrong\n", dmcs_my_proc(), __FILE__, __LINE__, #condition); \
      exit(1);                                                                                      \
    }                                                                                               \
  } while (0)

static inline void all_is_well(void) {
  if (dmcs_my_proc() == 0) printf("all checks passed with %d processes\n", dmcs_num_procs());
}

#endif
