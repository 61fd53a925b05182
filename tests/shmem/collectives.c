/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * Collectives of active sets and of teams. */
#include "check.h"

#include <string.h>

enum { count = 300 };

static long sync_array[SHMEM_REDUCE_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE], alltoall_array[SHMEM_ALLTOALL_SYNC_SIZE],
    broadcast_array[SHMEM_BCAST_SYNC_SIZE], barrier_array[SHMEM_BARRIER_SYNC_SIZE];
static int me, all;

static void clear(long* array, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof *array; ++i) array[i] = SHMEM_SYNC_VALUE;
}

/* Nobody uses the arrays, and they may be used. */
static void fresh(void) {
  shmem_barrier_all();
  clear(sync_array, sizeof sync_array);
  clear(alltoall_array, sizeof alltoall_array);
  clear(broadcast_array, sizeof broadcast_array);
  clear(barrier_array, sizeof barrier_array);
  shmem_barrier_all();
}

/* An active set, and blocks of all its PEs. */
struct set {
  int start, log_stride, size, stride, rank;
  long *from, *to;
};

static int member(struct set const* set) {
  return me >= set->start && (me - set->start) % set->stride == 0 && set->rank < set->size;
}
static int pe_of(struct set const* set, int rank) { return set->start + rank * set->stride; }
static long value_of(struct set const* set, int rank, int i) { return pe_of(set, rank) * 1000 + i; }

static void check_broadcast(struct set const* set) {
  int const root = set->size - 1;
  shmem_broadcast64(set->to, set->from, count, root, set->start, set->log_stride, set->size, broadcast_array);
  for (int i = 0; i < count; ++i) CHECK(set->to[i] == (set->rank == root ? -1 : value_of(set, root, i)));
}

static void check_fcollect(struct set const* set) {
  shmem_fcollect64(set->to, set->from, count, set->start, set->log_stride, set->size, sync_array);
  for (int r = 0; r < set->size; ++r) {
    for (int i = 0; i < count; ++i) CHECK(set->to[r * count + i] == value_of(set, r, i));
  }
}

static void check_alltoall(struct set const* set) {
  shmem_alltoall64(set->to, set->from, count, set->start, set->log_stride, set->size, alltoall_array);
  for (int r = 0; r < set->size; ++r) {
    for (int i = 0; i < count; ++i) CHECK(set->to[r * count + i] == value_of(set, r, set->rank * count + i));
  }
}

static void check_collect(struct set const* set) {
  shmem_collect64(set->to, set->from, (size_t)set->rank + 1, set->start, set->log_stride, set->size, sync_array);
  for (int r = 0, at = 0; r < set->size; at += ++r) CHECK(set->to[at + r] == value_of(set, r, r));
}

static long work[count + SHMEM_REDUCE_MIN_WRKDATA_SIZE];

static void check_sum(struct set const* set) {
  shmem_long_sum_to_all(set->to, set->from, count, set->start, set->log_stride, set->size, work, sync_array);
  for (int i = 0; i < count; ++i) {
    long sum = 0;
    for (int r = 0; r < set->size; ++r) sum += value_of(set, r, i);
    CHECK(set->to[i] == sum);
  }
}

static void check_max(struct set const* set) {
  shmem_long_max_to_all(set->to, set->from, count, set->start, set->log_stride, set->size, work, sync_array);
  CHECK(set->to[5] == value_of(set, set->size - 1, 5));
}

static void check_barriers(struct set const* set) {
  shmem_long_p(set->to, me, pe_of(set, (set->rank + 1) % set->size));
  shmem_barrier(set->start, set->log_stride, set->size, barrier_array);
  CHECK(set->to[0] == pe_of(set, (set->rank + set->size - 1) % set->size));
}

static void check_set(int start, int log_stride, int size) {
  static void (*const checks[])(struct set const*) = {check_broadcast, check_fcollect, check_alltoall, check_collect,
                                                      check_sum,       check_max,      check_barriers};
  struct set set = {start, log_stride, size, 1 << log_stride, 0, NULL, NULL};
  set.rank = (me - start) / set.stride;
  set.from = shmem_malloc((size_t)all * count * sizeof(long));
  set.to = shmem_malloc((size_t)all * count * sizeof(long));
  for (size_t c = 0; c < sizeof checks / sizeof *checks; ++c) {
    for (int i = 0; i < all * count; ++i) set.from[i] = me * 1000 + i, set.to[i] = -1;
    fresh();
    if (member(&set)) checks[c](&set);
  }
  shmem_free(set.to);
  shmem_free(set.from);
}

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
#include <complex.h>

static void check_team(shmem_team_t team) {
  int const rank = shmem_team_my_pe(team), size = shmem_team_n_pes(team);
  static double from[40], to[400];
  for (int i = 0; i < 40; ++i) from[i] = rank + i * 0.5;
  CHECK(shmem_team_sync(team) == 0);
  CHECK(shmem_double_broadcast(team, to, from, 40, size - 1) == 0 && to[3] == size - 1 + 1.5);
  CHECK(shmem_double_fcollect(team, to, from, 40) == 0);
  for (int r = 0; r < size; ++r) CHECK(to[r * 40 + 2] == r + 1);
  CHECK(shmem_double_collect(team, to, from, (size_t)rank) == 0);
  if (size > 2) CHECK(to[0] == 1 && to[1] == 2 && to[2] == 2.5);
  CHECK(shmem_double_alltoalls(team, to, from, 1, 2, 2) == 0);
  for (int r = 0; r < size; ++r) CHECK(to[2 * r] == r + 2 * rank && to[2 * r + 1] == r + 2 * rank + 1);
  CHECK(shmem_double_sum_reduce(team, to, from, 40) == 0 && to[2] == size * (size - 1) / 2. + size);
  CHECK(shmem_double_min_reduce(team, from, from, 40) == 0 && from[2] == 1);
  static unsigned bits[2];
  bits[0] = 1U << rank;
  CHECK(shmem_uint_or_reduce(team, bits + 1, bits, 1) == 0 && bits[1] == (1U << size) - 1);
  static double complex turn[2];
  turn[0] = I;
  CHECK(shmem_complexd_prod_reduce(team, turn + 1, turn, 1) == 0);
  CHECK(size != 2 || turn[1] == -1);
  CHECK(shmem_broadcastmem(team, to, from, 8, 0) == 0 && to[0] == from[0]);
}

static void check_teams(void) {
  check_team(SHMEM_TEAM_WORLD);
  CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) >= 1 && shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1);
  shmem_team_t odd = SHMEM_TEAM_INVALID, reversed = SHMEM_TEAM_INVALID;
  if (all > 1) {
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, all / 2, NULL, 0, &odd) == 0);
    CHECK((odd != SHMEM_TEAM_INVALID) == (me % 2 == 1));
    if (odd != SHMEM_TEAM_INVALID) {
      check_team(odd);
      CHECK(shmem_team_translate_pe(odd, 0, SHMEM_TEAM_WORLD) == 1);
      CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, odd) == -1);
    }
    shmem_team_destroy(odd);
  }
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, all - 1, -1, all, NULL, 0, &reversed) == 0);
  CHECK(shmem_team_my_pe(reversed) == all - 1 - me);
  shmem_team_destroy(reversed);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, all + 1, NULL, 0, &odd) != 0);
}
#else
static void check_teams(void) {}
#endif

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  all = shmem_n_pes();
  check_set(0, 0, all);
  check_set(0, 1, (all + 1) / 2);
  if (all > 1) check_set(1, 0, all - 1);
  check_teams();
  passed();
  return 0;
}
