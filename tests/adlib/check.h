/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors */
#ifndef ADLIB_CHECK_H
#define ADLIB_CHECK_H

#include <adlib.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the process, and so the job, unless `good`. */
#define CHECK(good)                                                                     \
  do {                                                                                  \
    if (!(good)) {                                                                      \
      fprintf(stderr, "%s:%d: rank %d: %s\n", __FILE__, __LINE__, adlib_rank(), #good); \
      exit(1);                                                                          \
    }                                                                                   \
  } while (0)

#endif
