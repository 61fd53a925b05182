// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "check.h"

static int members[64];

/// Members of a group: every `step`-th process from `first` on, the last one first.
static int list_members(int first, int step) {
  int count = 0;
  for (int p = first; p < nproc; p += step) ++count;
  for (int i = 0; i < count; ++i) members[i] = first + (count - 1 - i) * step;
  return count;
}

static void collectives_in(ARMCI_Group* group, int count) {
  int sum = me + 1, expected = 0;
  for (int i = 0; i < count; ++i) expected += members[i] + 1;
  armci_msg_group_igop(&sum, 1, "+", group);
  EQUAL(sum, expected);
  long l = me;
  long long ll = -me;
  float f = (float)me;
  double d[2] = {me, -me};
  armci_msg_group_lgop(&l, 1, "max", group);
  armci_msg_group_llgop(&ll, 1, "min", group);
  armci_msg_group_fgop(&f, 1, "min", group);
  armci_msg_group_dgop(d, 2, "absmax", group);
  EQUAL(l, members[0]);
  EQUAL(ll, -members[0]);
  EQUAL(f, members[count - 1]);
  EQUAL(d[0], members[0]);
  EQUAL(d[1], members[0]);
  armci_msg_group_gop_scope(SCOPE_ALL, &sum, 1, "*", ARMCI_INT, group);
  for (int i = 0; i < count; ++i) {
    int word = me == members[i] ? 100 + i : -1;
    armci_msg_group_bcast_scope(SCOPE_ALL, &word, sizeof word, members[i], group);
    EQUAL(word, 100 + i);
  }
  armci_msg_group_barrier(group);
}

static void memory_of(ARMCI_Group* group, int count) {
  int rank = -1;
  EQUAL(ARMCI_Group_rank(group, &rank), 0);
  void** const all = malloc((size_t)count * sizeof *all);
  EQUAL(ARMCI_Malloc_group(all, 8, group), 0);
  armci_msg_group_barrier(group);
  int const to = (rank + 1) % count;
  EQUAL(ARMCI_PutValueLong(rank, all[to], ARMCI_Absolute_id(group, to)), 0);
  ARMCI_AllFence();
  armci_msg_group_barrier(group);
  EQUAL(*(long*)all[rank], (rank + count - 1) % count);
  EQUAL(ARMCI_Free_group(all[rank], group), 0);
  free(all);
}

static void one(int first, int step) {
  int const count = list_members(first, step);
  ARMCI_Group group;
  ARMCI_Group_create(count, members, &group);
  int rank = -2, size = -1;
  ARMCI_Group_size(&group, &size);
  int const is_member = me >= first && (me - first) % step == 0;
  EQUAL(ARMCI_Group_rank(&group, &rank) == 0, is_member);
  EQUAL(size, is_member ? count : 0);
  if (is_member) {
    EQUAL(members[rank], me);
    for (int i = 0; i < count; ++i) EQUAL(ARMCI_Absolute_id(&group, i), members[i]);
    collectives_in(&group, count);
    memory_of(&group, count);
  } else {
    EQUAL(rank, -1);
  }
  if (is_member) ARMCI_Group_free(&group);
}

/// A group within a group, by ranks of the parent, which is the default group meanwhile.
static void nested(void) {
  ARMCI_Group world, parent, child, now;
  ARMCI_Group_get_world(&world);
  int const count = list_members(0, 1);  // all, backwards
  ARMCI_Group_create_child(count, members, &parent, &world);
  ARMCI_Group_set_default(&parent);
  ARMCI_Group_get_default(&now);
  EQUAL(now.size, nproc);
  int first_two[] = {0, 1};
  int const size = nproc < 2 ? nproc : 2;
  ARMCI_Group_create(size, first_two, &child);
  if (me >= nproc - size) {
    EQUAL(ARMCI_Absolute_id(&child, 0), nproc - 1);
    armci_msg_group_barrier(&child);
    ARMCI_Group_free(&child);
  }
  ARMCI_Group_set_default(&world);
  ARMCI_Group_free(&parent);
}

static void of_mpi(void) {
  ARMCI_Group world, copy, part;
  ARMCI_Group_get_world(&world);
  EQUAL(ARMCIX_Group_dup(&world, &copy), 0);
  EQUAL(copy.size, nproc);
  EQUAL(copy.rank, me);
  EQUAL(ARMCIX_Group_split(&copy, me % 2, -me, &part), 0);
  int const count = list_members(me % 2, 2);
  EQUAL(part.size, count);
  EQUAL(members[part.rank], me);
  collectives_in(&part, count);
  armcix_mutex_hdl_t batch = ARMCIX_Create_mutexes_hdl(1, &part);
  for (int i = 0; i < count; ++i) {
    ARMCIX_Lock_hdl(batch, 0, members[i]);
    ARMCIX_Unlock_hdl(batch, 0, members[i]);
  }
  EQUAL(ARMCIX_Destroy_mutexes_hdl(batch), 0);
  ARMCI_Group_free(&part);
  ARMCI_Group_free(&copy);
}

void groups(void) {
  for (int time = 0; time < 3; ++time) {
    one(0, 1);
    one(0, 2);
    if (nproc > 1) one(1, 2);
    one(nproc / 2, 1);  // overlaps with the others
  }
  nested();
  of_mpi();
}
