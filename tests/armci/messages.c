// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "check.h"

/// Round the ring; the even ones send first.
static void two_sided(void) {
  int token[4] = {me, 0, 0, 0}, got[5], bytes = 0;
  for (int time = 0; time < 10 && nproc > 1; ++time) {
    if (me % 2 == 0) armci_msg_snd(7 + time, token, sizeof token, next_process());
    armci_msg_rcv(7 + time, got, sizeof got, time % 2 == 0 ? &bytes : NULL, previous_process());
    if (me % 2 == 1) armci_msg_snd(7 + time, token, sizeof token, next_process());
    EQUAL(bytes, sizeof token);
    EQUAL(got[0], previous_process());
    armci_msg_barrier();
  }
}

static void from_any(void) {
  if (me != 0) return armci_msg_snd(3, &me, sizeof me, 0);
  long seen = 0;
  for (int i = 1; i < nproc; ++i) {
    int who = -1, bytes = 0;
    int const sender = armci_msg_rcvany(3, &who, sizeof who, &bytes);
    EQUAL(sender, who);
    EQUAL(bytes, sizeof who);
    seen |= 1L << who;
  }
  EQUAL(seen, (1L << nproc) - 2);
}

static void broadcasts(void) {
  char text[3000];
  for (int root = 0; root < nproc; ++root) {
    for (int how = 0; how < 3; ++how) {
      memset(text, me == root ? root + how + 1 : 0, sizeof text);
      if (how == 0) armci_msg_bcast(text, sizeof text, root);
      if (how == 1) armci_msg_brdcst(text, sizeof text, root);
      if (how == 2) armci_msg_bcast_scope(SCOPE_ALL, text, sizeof text, root);
      EQUAL(text[2999], root + how + 1);
    }
  }
}

/// A sum goes up the tree.
static void tree(void) {
  int root = -2, up = -2, left = -2, right = -2, sum = me + 1, part = 0;
  armci_msg_bintree(SCOPE_ALL, &root, &up, &left, &right);
  EQUAL(root, 0);
  EQUAL(up < 0, me == root);
  int const children[] = {left, right};
  for (int i = 0; i < 2; ++i) {
    if (children[i] < 0) continue;
    armci_msg_rcv(11, &part, sizeof part, NULL, children[i]);
    sum += part;
  }
  if (up >= 0) armci_msg_snd(11, &sum, sizeof sum, up);
  if (me == root) EQUAL(sum, nproc * (nproc + 1) / 2);
}

/// The record whose first word is the best comes to all, also where some do not take part in the choice.
static void selections(void) {
  struct record {
    double value;
    int who, pad;
  };
  for (int largest = 0; largest < 2; ++largest) {
    for (int without = 0; without < 2 && nproc > without; ++without) {
      struct record mine = {(me * 5 + 3) % nproc - nproc / 2, me, 0};
      int const contributes = without == 0 || me != 0;
      armci_msg_sel(&mine, sizeof mine, largest ? "max" : "min", ARMCI_DOUBLE, contributes);
      int best = without;
      for (int p = without; p < nproc; ++p) {
        int const p_value = (p * 5 + 3) % nproc, best_value = (best * 5 + 3) % nproc;
        if (largest ? p_value > best_value : p_value < best_value) best = p;
      }
      EQUAL(mine.value, (best * 5 + 3) % nproc - nproc / 2);
    }
  }
  long value = 1000 - me;
  armci_msg_sel_scope(SCOPE_ALL, &value, sizeof value, "min", ARMCI_LONG, 1);
  EQUAL(value, 1001 - nproc);
}

void messages(void) {
  double const before = armci_timer();
  two_sided();
  from_any();
  broadcasts();
  tree();
  selections();
  CHECK(armci_timer() >= before);
}
