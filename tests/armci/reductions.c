// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "check.h"

enum { most = 1000 };

/// Small numbers of both signs, so that products and sums are exact in each type.
static double number(int process, int at) { return (process + at) % 2 == 0 ? 1 + (at + process) % 3 : -1 - at % 2; }

static double combined(char const* op, double a, double b) {
  double const abs_a = a < 0 ? -a : a, abs_b = b < 0 ? -b : b;
  if (strcmp(op, "+") == 0) return a + b;
  if (strcmp(op, "*") == 0) return a * b;
  if (strcmp(op, "max") == 0) return a > b ? a : b;
  if (strcmp(op, "min") == 0) return a < b ? a : b;
  if (strcmp(op, "absmax") == 0) return abs_a > abs_b ? abs_a : abs_b;
  return abs_a < abs_b ? abs_a : abs_b;
}

static double expected(char const* op, int at) {
  double result = combined(op, number(0, at),
                           op[0] == 'a'   ? number(0, at)
                           : op[0] == '*' ? 1
                           : op[0] == '+' ? 0
                                          : number(0, at));
  for (int p = 1; p < nproc; ++p) result = combined(op, result, number(p, at));
  return result;
}

#define OF_TYPE(type, id, gop)                                     \
  static void sums_of_##gop(char const* op, int n) {               \
    type x[most], y[most];                                         \
    for (int i = 0; i < n; ++i) x[i] = y[i] = (type)number(me, i); \
    armci_msg_##gop(x, n, (char*)op);                              \
    armci_msg_gop_scope(SCOPE_ALL, y, n, (char*)op, id);           \
    for (int i = 0; i < n; ++i) EQUAL(x[i], expected(op, i));      \
    for (int i = 0; i < n; ++i) EQUAL(y[i], x[i]);                 \
  }
OF_TYPE(int, ARMCI_INT, igop)
OF_TYPE(long, ARMCI_LONG, lgop)
OF_TYPE(long long, ARMCI_LONG_LONG, llgop)
OF_TYPE(float, ARMCI_FLOAT, fgop)
OF_TYPE(double, ARMCI_DOUBLE, dgop)

static void bits(void) {
  int x[] = {1 << me % 30, ~(1 << me % 30), me == 0, 1};
  char* const ops[] = {"or", "band", "lor", "land"};
  for (int i = 0; i < 4; ++i) armci_msg_igop(&x[i], 1, ops[i]);
  int all = 0;
  for (int p = 0; p < nproc; ++p) all |= 1 << p % 30;
  EQUAL(x[0], all);
  EQUAL(x[1], ~all);
  EQUAL(x[2], 1);
  EQUAL(x[3], 1);
  long long y[] = {1LL << me % 60, 3LL << 40 | me};
  armci_msg_llgop(y, 1, "|");
  armci_msg_llgop(y + 1, 1, "&");
  EQUAL(y[0], all);
  EQUAL(y[1] >> 40, 3);
}

void reductions(void) {
  char const* const ops[] = {"+", "*", "max", "min", "absmax", "absmin"};
  for (size_t o = 0; o < sizeof ops / sizeof *ops; ++o) {
    int const sizes[] = {1, 7, most};
    for (int s = 0; s < 3; ++s) {
      sums_of_igop(ops[o], sizes[s]);
      sums_of_lgop(ops[o], sizes[s]);
      sums_of_llgop(ops[o], sizes[s]);
      sums_of_fgop(ops[o], sizes[s]);
      sums_of_dgop(ops[o], sizes[s]);
    }
  }
  bits();
}
