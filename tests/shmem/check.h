/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * What the SHMEM programs share. They are plain SHMEM: each is linked with ours, and with Open MPI's where that is. */
#ifndef SHEAF_TESTS_SHMEM_CHECK_H
#define SHEAF_TESTS_SHMEM_CHECK_H

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the job where `good` is not. */
#define CHECK(good)                                                                            \
  do {                                                                                         \
    if (!(good)) {                                                                             \
      fprintf(stderr, "%s:%d: PE %d: not so: %s\n", __FILE__, __LINE__, shmem_my_pe(), #good); \
      shmem_global_exit(1);                                                                    \
    }                                                                                          \
  } while (0)

/* After the last check. Tests look for this text, since Open MPI's library may crash in shmem_finalize. */
static inline void passed(void) {
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("all checks passed with %d PEs\n", shmem_n_pes());
  fflush(stdout);
  shmem_finalize();
}

#endif
