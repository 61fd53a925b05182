/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * The program of docs/guide/dmcs.md. */
#include <dmcs.h>
#include <stdio.h>

static long sum;
static void add(int source, dmcs_arg_t amount) {
  sum += amount;
  (void)source;
}

int main(int argc, char** argv) {
  dmcs_init(&argc, &argv);
  dmcs_register1(add);
  for (int to = 0; to < dmcs_num_procs(); ++to) dmcs_async_rsr1(to, add, dmcs_my_proc());
  dmcs_fence();
  printf("process %d has %ld\n", dmcs_my_proc(), sum);
  dmcs_shutdown();
  return 0;
}
