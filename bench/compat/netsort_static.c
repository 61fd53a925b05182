// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Static netsort over DMCS: each comparison of positions of two processes is a request each way. ms.
#include <dmcs.h>

#include "harness/netsort_static.h"

static struct netsort all;
static int32_t* result;
static int32_t results;

static void take(int source, dmcs_arg_t position, dmcs_arg_t step, dmcs_arg_t value) {
  (void)source;
  value_came(&all, (int32_t)position, (int32_t)step, (int32_t)value);
  go_on_with_due(&all);
}
static void send_value(struct netsort* of, int owner, int32_t position, int32_t step, int32_t value) {
  (void)of;
  dmcs_async_rsr3(owner, take, position, step, value);
}
static void collect(int source, dmcs_arg_t position, dmcs_arg_t value) {
  (void)source;
  result[position] = (int32_t)value;
  ++results;
}

static double sort(uint64_t seed) {
  shuffle(&all, seed);
  results = 0;
  dmcs_fence();
  long long const start = now_ns();
  begin(&all);
  while (all.left > 0) dmcs_poll();
  dmcs_fence();
  double const ms = (double)(now_ns() - start) * 1e-6;
  for (int32_t i = 0; i < all.count; ++i)
    if (all.owner[i] == all.self) dmcs_async_rsr2(0, collect, i, all.value[i]);
  dmcs_fence();
  if (all.self == 0) check(results == all.count, "an integer is missing");
  if (all.self == 0) check_sorted(&all, result);
  return ms;
}

int main(int argc, char** argv) {
  static struct part part = {.name = "sort"};
  dmcs_init(&argc, &argv);
  dmcs_register3(take);
  dmcs_register2(collect);
  all = make_netsort(dmcs_my_proc(), dmcs_num_procs(), number_of(argc, argv, "--count", 1000));
  result = table_of(all.count, 0);
  int const reps = reps_of(argc, argv, 9);
  for (int r = -1; r < reps; ++r) {
    double const ms = sort((uint64_t)r + 2);
    if (r >= 0) add_sample(&part.ours, ms);
  }
  if (all.self == 0) print_result("ms", &part, 1);
  dmcs_shutdown();
  free_netsort(&all);
  free(result);
  return 0;
}
