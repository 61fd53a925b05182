/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * Misuse by one PE, which ends the job with a text: the argument says which. */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static long word;
static uint64_t signal_word;

static void wrong_pe(void) { shmem_long_p(&word, 1, 7); }
static void wrong_address(void) {
  long here = 0;
  shmem_long_put(&here, &word, 1, 0);
}
static void wrong_free(void) { shmem_free(&word); }
static void wrong_alignment(void) { shmem_align(24, 100); }
static void wrong_comparison(void) { shmem_long_wait_until(&word, 9, 0); }
static void wrong_signal(void) { shmem_long_put_signal(&word, &word, 1, &signal_word, 1, 5, 0); }
static void wrong_set(void) { shmem_sync(0, 0, 2, &word); }
static void wrong_team(void) { shmem_team_sync(SHMEM_TEAM_INVALID); }
static void wrong_lock(void) {
  shmem_set_lock(&word);
  shmem_set_lock(&word);
}
static void forgotten_finalize(void) { puts("all is well"); }

static struct {
  char const* name;
  void (*run)(void);
} const cases[] = {{"early", wrong_pe},
                   {"pe", wrong_pe},
                   {"address", wrong_address},
                   {"free", wrong_free},
                   {"alignment", wrong_alignment},
                   {"comparison", wrong_comparison},
                   {"signal", wrong_signal},
                   {"set", wrong_set},
                   {"team", wrong_team},
                   {"lock", wrong_lock},
                   {"forgotten", forgotten_finalize}};

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (strcmp(argv[1], "early") != 0) shmem_init();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (strcmp(argv[1], cases[i].name) == 0) cases[i].run();
  }
  return 0;
}
