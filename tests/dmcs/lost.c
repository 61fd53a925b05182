/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * A process ends while the others wait for it: one, threads, or pool; and how they wait. Tests look for the text. */
#include <string.h>
#include <unistd.h>

#include "check.h"

static void zero(int source) { (void)source; }

int main(int argc, char** argv) {
  char const* const kind = argc > 2 ? argv[1] : "";
  char const* const wait = argc > 2 ? argv[2] : "";
  if (strcmp(kind, "one") == 0) {
    dmcs_init(&argc, &argv);
  } else {
    dmcs_init_threads(&argc, &argv, strcmp(kind, "pool") == 0 ? 2 : 0);
  }
  dmcs_register0(zero);
  dmcs_barrier();
  int const last = dmcs_num_procs() - 1;
  if (dmcs_my_proc() == last) _exit(0);
  if (strcmp(wait, "barrier") == 0) dmcs_barrier();
  if (strcmp(wait, "fence") == 0) dmcs_fence();
  if (strcmp(wait, "sync") == 0) dmcs_sync_rsr0(last, zero);
  while (strcmp(wait, "poll") == 0) dmcs_poll();
  dmcs_shutdown();
  return 0;
}
