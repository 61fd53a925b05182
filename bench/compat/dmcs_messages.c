// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Messages of DMCS between processes 0 and 1. --form rsr: ns of half a ping-pong of asynchronous requests with 0 to 4
/// arguments; put_op: of data in ordinary memory, 1 byte to 8 KiB; rate: million requests with one argument that
/// process 1 executes each second. --count: round trips of a block, of which the median of 21 counts.
#include <dmcs.h>

#include "harness/measure.h"

enum { blocks = 21, sizes = 5, in_rate = 2000000 };

static size_t const bytes_of[sizes] = {1, 64, 512, 4096, 8192};
static char data[8192];
static long answered, counted, sum;
static int failed, in_block;

static void ping0(int source) {
  if (dmcs_my_proc() == 1) dmcs_async_rsr0(source, ping0);
  ++answered;
}
static void ping1(int source, dmcs_arg_t a) {
  if (dmcs_my_proc() == 1) dmcs_async_rsr1(source, ping1, a);
  answered += a == 1;
}
static void ping2(int source, dmcs_arg_t a, dmcs_arg_t b) {
  if (dmcs_my_proc() == 1) dmcs_async_rsr2(source, ping2, a, b);
  answered += b - a == 1;
}
static void ping3(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c) {
  if (dmcs_my_proc() == 1) dmcs_async_rsr3(source, ping3, a, b, c);
  answered += c - a == 2;
}
static void ping4(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c, dmcs_arg_t d) {
  if (dmcs_my_proc() == 1) dmcs_async_rsr4(source, ping4, a, b, c, d);
  answered += d - a == 3;
}
static void ping_data(int source, void* what, size_t bytes) {
  if (dmcs_my_proc() == 1) dmcs_async_put_op(source, ping_data, what, bytes, NULL);
  if (((char*)what)[bytes - 1] != 'x') failed = 1;
  ++answered;
}

static void await(long until) {
  while (answered < until) dmcs_poll();
}

/// One ping and its pong, by process 0.
static void round_trip(void* context, int number) {
  int const form = *(int*)context;
  long const until = answered + 1;
  (void)number;
  switch (form) {
    case 0:
      dmcs_async_rsr0(1, ping0);
      break;
    case 1:
      dmcs_async_rsr1(1, ping1, 1);
      break;
    case 2:
      dmcs_async_rsr2(1, ping2, 1, 2);
      break;
    case 3:
      dmcs_async_rsr3(1, ping3, 1, 2, 3);
      break;
    case 4:
      dmcs_async_rsr4(1, ping4, 1, 2, 3, 4);
      break;
    default:
      dmcs_async_put_op(1, ping_data, data, bytes_of[form - 5], NULL);
  }
  await(until);
}

static double half_round_trip(int form) {
  dmcs_fence();
  long const before = answered;
  double ns = 0;
  if (dmcs_my_proc() == 0) ns = ns_each(blocks, in_block, round_trip, NULL, &form) / 2;
  if (dmcs_my_proc() == 1) await(before + (long)blocks * in_block);
  check(answered == before + (long)blocks * in_block && !failed, "a message was lost, or changed");
  return ns;
}

static void count(int source, dmcs_arg_t a) {
  (void)source;
  sum += a;
  ++counted;
}
static void all_counted(int source) {
  (void)source;
  ++answered;
}

static double rate(void) {
  long const until = answered + 1;
  dmcs_fence();
  long long const start = now_ns();
  if (dmcs_my_proc() == 0) {
    for (dmcs_arg_t i = 0; i < in_rate; ++i) dmcs_async_rsr1(1, count, i);
    await(until);
  } else {
    counted = sum = 0;
    while (counted < in_rate) dmcs_poll();
    check(sum == (long)in_rate * (in_rate - 1) / 2, "a request was lost, or came twice");
    dmcs_async_rsr0(0, all_counted);
  }
  double const seconds = (double)(now_ns() - start) * 1e-9;
  dmcs_fence();
  return in_rate / seconds * 1e-6;
}

int main(int argc, char** argv) {
  static struct part parts[sizes] = {{.name = ""}};
  static char const* const names[2][sizes] = {{"rsr0", "rsr1", "rsr2", "rsr3", "rsr4"},
                                              {"1", "64", "512", "4096", "8192"}};
  dmcs_init(&argc, &argv);
  check(dmcs_num_procs() == 2, "it needs two processes");
  dmcs_register0(ping0);
  dmcs_register1(ping1);
  dmcs_register2(ping2);
  dmcs_register3(ping3);
  dmcs_register4(ping4);
  dmcs_register_data(ping_data);
  dmcs_register1(count);
  dmcs_register0(all_counted);
  memset(data, 'x', sizeof data);
  in_block = number_of(argc, argv, "--count", 1000);
  check(in_block > 0, "--count is at least 1");
  char const* const form = text_of(argc, argv, "--form", "rsr");
  int const is_rate = strcmp(form, "rate") == 0, with_data = strcmp(form, "put_op") == 0;
  int const reps = reps_of(argc, argv, 9), count_of_parts = is_rate ? 1 : sizes;
  for (int r = -1; r < reps; ++r) {
    for (int i = 0; i < count_of_parts; ++i) {
      parts[i].name = is_rate ? "rate" : names[with_data][i];
      double const value = is_rate ? rate() : half_round_trip(i + (with_data ? sizes : 0));
      if (r >= 0) add_sample(&parts[i].ours, value);
    }
  }
  if (dmcs_my_proc() == 0) print_result(is_rate ? "M/s" : "ns", parts, count_of_parts);
  dmcs_shutdown();
  return 0;
}
