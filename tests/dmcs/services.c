/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * Remote service requests of all forms: their arguments, their order, when they are executed. */
#include "check.h"

static long called[5], sums[5];
static long last_of[64];
static int in_order = 1;

static void none(int source) { called[0] += 1, sums[0] += source; }
static void one(int source, dmcs_arg_t a) {
  called[1] += 1, sums[1] += a;
  if (a != last_of[source] + 1) in_order = 0;
  last_of[source] = a;
}
/* Of the same kind: its requests take turns with the others in one buffer. */
static long other_sum;
static void another(int source, dmcs_arg_t a) { other_sum += a + 0 * source; }
static void two(int source, dmcs_arg_t a, dmcs_arg_t b) { called[2] += 1, sums[2] += a - b + 0 * source; }
static void three(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c) {
  called[3] += 1, sums[3] += a + b * c + 0 * source;
}
static void four(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c, dmcs_arg_t d) {
  called[4] += 1, sums[4] += a + b + c * d + 0 * source;
}

/* Travels around all processes until it is out of steps. */
static long steps_seen;
static void travel(int source, dmcs_arg_t left) {
  (void)source;
  ++steps_seen;
  if (left > 0) dmcs_async_rsr1((dmcs_my_proc() + 1) % dmcs_num_procs(), travel, left - 1);
}

static void check_all_forms(int sync) {
  int const count = dmcs_num_procs();
  for (int i = 0; i < 5; ++i) called[i] = sums[i] = 0;
  for (int i = 0; i < 64; ++i) last_of[i] = 0;
  dmcs_barrier();
  for (int to = 0; to < count; ++to) {
    for (dmcs_arg_t i = 1; i <= 20; ++i) {
      if (sync) {
        dmcs_sync_rsr0(to, none);
        dmcs_sync_rsr1(to, one, i);
        dmcs_sync_rsr2(to, two, i, -i);
        dmcs_sync_rsr3(to, three, i, 2, 3);
        dmcs_sync_rsr4(to, four, i, INTPTR_MIN, 1, INTPTR_MAX);
      } else {
        dmcs_async_rsr0(to, none);
        dmcs_async_rsr1(to, one, i);
        dmcs_async_rsr2(to, two, i, -i);
        dmcs_async_rsr3(to, three, i, 2, 3);
        dmcs_async_rsr4(to, four, i, INTPTR_MIN, 1, INTPTR_MAX);
      }
    }
  }
  CHECK(called[1] == 0); /* nobody has polled here */
  dmcs_fence();
  CHECK(in_order);
  for (int i = 0; i < 5; ++i) CHECK(called[i] == 20L * count);
  CHECK(sums[0] == 20L * count * (count - 1) / 2);
  CHECK(sums[1] == 210L * count);
  CHECK(sums[2] == 420L * count);
  CHECK(sums[3] == 330L * count);
  CHECK(sums[4] == 210L * count - 20L * count);
}

int main(int argc, char** argv) {
  dmcs_init(&argc, &argv);
  int const self = dmcs_my_proc(), count = dmcs_num_procs();
  CHECK(dmcs_register0(none) == 0);
  CHECK(dmcs_register1(one) == 1);
  CHECK(dmcs_register1(one) == 1);
  dmcs_register2(two);
  dmcs_register3(three);
  dmcs_register4(four);
  dmcs_register1(travel);
  dmcs_register1(another);
  check_all_forms(0);
  check_all_forms(1);

  dmcs_async_rsr1((self + 1) % count, travel, 99);
  dmcs_fence();
  long const steps = steps_seen;
  CHECK(steps == 100);

  /* A flood that is larger than all buffers, while nobody polls; then polls alone bring it. */
  for (int i = 0; i < 64; ++i) last_of[i] = 0;
  called[1] = 0;
  dmcs_barrier();
  for (dmcs_arg_t i = 1; i <= 200000; ++i) {
    dmcs_async_rsr1((self + 1) % count, one, i);
    if (i % 5 < 2) dmcs_async_rsr1((self + 1) % count, another, -i);
  }
  CHECK(called[1] == 0);
  while (called[1] < 200000) dmcs_poll();
  CHECK(in_order);
  dmcs_fence();
  CHECK(other_sum == -8000040000); /* all whose remainder by 5 is 0 or 1, up to 200,000 */
  all_is_well();
  dmcs_shutdown();
  return 0;
}
