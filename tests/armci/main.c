// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// test_armci NAME…: runs these cases, or those of the file. error:WHAT provokes an error, of which the test reads the
// text.
#include "check.h"

int me, nproc;

void fail_check(char const* file, int line, char const* what, double got, double expected) {
  fprintf(stderr, "%s:%d: process %d of %d: %s: got %.17g, expected %.17g\n", file, line, me, nproc, what, got,
          expected);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void** shared_zeros(size_t bytes) {
  void** const pointers = malloc((size_t)nproc * sizeof *pointers);
  EQUAL(ARMCI_Malloc(pointers, (armci_size_t)bytes), 0);
  if (bytes != 0) memset(pointers[me], 0, bytes);
  ARMCI_Barrier();
  return pointers;
}

void release(void** pointers) {
  EQUAL(ARMCI_Free(pointers[me]), 0);
  free(pointers);
}

static struct {
  char const* name;
  void (*run)(void);
} const cases[] = {
    {"transfers", transfers},     {"large", large},       {"strided", strided},       {"vectors", vectors},
    {"accumulates", accumulates}, {"atomics", atomics},   {"mutexes", mutexes},       {"memory", memory},
    {"groups", groups},           {"messages", messages}, {"reductions", reductions}, {"places", places},
    {"completion", completion},   {"layout", layout},     {"extras", extras},         {"threads", threads_at_once}};

static void run(char const* name) {
  if (strncmp(name, "error:", 6) == 0) {
    provoke(name + 6);
    fail_check(__FILE__, __LINE__, name, 0, 1);
  }
  int found = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (strcmp(name, cases[i].name) != 0) continue;
    cases[i].run();
    ARMCI_Barrier();
    if (me == 0) printf("armci.%s: all checks passed with %d processes\n", name, nproc);
    found = 1;
  }
  CHECK(found);
}

/// Begins twice, ends, and begins again: a job may follow another one.
static void begin(int level) {
  EQUAL(ARMCI_Initialized(), 0);
  EQUAL(ARMCI_Init_thread(level), 0);
  EQUAL(ARMCI_Init(), 0);
  EQUAL(ARMCI_Finalize(), 0);
  CHECK(ARMCI_Initialized());
  me = armci_msg_me();
  nproc = armci_msg_nproc();
}

/// With --no-mpi first, ARMCI_Init starts MPI, which ends with the program; with --threads first, any thread may call.
int main(int argc, char** argv) {
  int const starts_mpi = argc > 1 && strcmp(argv[1], "--no-mpi") == 0;
  int const by_threads = argc > 1 && strcmp(argv[1], "--threads") == 0;
  int const level = by_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  int provided = 0;
  if (!starts_mpi) MPI_Init_thread(&argc, &argv, level, &provided);
  begin(level);
  for (int i = 1 + starts_mpi + by_threads; i < argc; ++i) run(argv[i]);
  EQUAL(ARMCI_Finalize(), 0);
  EQUAL(ARMCI_Initialized(), 0);
  begin(level);
  EQUAL(ARMCI_Finalize(), 0);
  EQUAL(ARMCI_Finalize(), 0);
  if (!starts_mpi) MPI_Finalize();
  return 0;
}
