/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * For programs that include it; armcix.h did so in ARMCI-MPI. */
#ifndef _ARMCICONF_H_
#define _ARMCICONF_H_

#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_PTHREADS 1

#endif
