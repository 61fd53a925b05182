// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What the programs in C over ARMCI share. They are compiled with our headers, and with those of Debian's ARMCI-MPI,
// too: what only ours declare stands in #ifdef ARMCI_SHEAF.
#ifndef SHEAF_TESTS_ARMCI_CHECK_H
#define SHEAF_TESTS_ARMCI_CHECK_H

#include <armci.h>
#include <armcix.h>
#include <message.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int me, nproc;

void fail_check(char const* file, int line, char const* what, double got, double expected);

#define CHECK(condition) ((condition) ? (void)0 : fail_check(__FILE__, __LINE__, #condition " is false", 0, 0))
#define EQUAL(got, expected) equal(__FILE__, __LINE__, #got, (double)(got), (double)(expected))

static inline void equal(char const* file, int line, char const* what, double got, double expected) {
  if (got != expected) fail_check(file, line, what, got, expected);
}

/// Collective: zeros at each process, as ARMCI_Malloc gives them; ends with `release`.
void** shared_zeros(size_t bytes);
void release(void** pointers);

static inline int next_process(void) { return (me + 1) % nproc; }
static inline int previous_process(void) { return (me + nproc - 1) % nproc; }
static inline unsigned char pattern(int process, size_t at) {
  return (unsigned char)(process * 37 + (int)(at % 251) + 1);
}

void transfers(void);
void large(void);
void strided(void);
void vectors(void);
void accumulates(void);
void atomics(void);
void mutexes(void);
void memory(void);
void groups(void);
void messages(void);
void reductions(void);
void places(void);
void completion(void);
void layout(void);
void extras(void);
void threads_at_once(void);

/// Ends the job with a text, or does not return.
void provoke(char const* what);

#endif
