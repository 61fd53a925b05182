// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Static netsort (DMCS, §7): integers in an array whose positions belong to random processes. In step s each position
/// is compared with its right or left neighbour, and they exchange their values if these are out of order; after as
/// many steps as there are positions all is sorted. There are no steps of all processes: a position goes on as soon as
/// it has its neighbour's value. A program says how a value is sent, by `send_value`.
#pragma once

#include <stdint.h>

#include "harness/measure.h"
#include "harness/netsort.h"

struct netsort {
  int self, processes;
  int32_t count;   // positions
  int32_t left;    // own positions that are not done
  int32_t* owner;  // by position
  int32_t* value;  // by position, of the own ones
  int32_t* step;   // by position
  int32_t*
      came[4];   // by step modulo 4 and position: the neighbour's value, or `absent`. A neighbour may be 2 steps ahead.
  int32_t* due;  // own positions that may go on
  int32_t due_count;
  uint64_t seed;  // of all values
};
enum { absent = -1 };

/// Sends `value` to the owner of `position`, where it is that of its neighbour in `step`.
static void send_value(struct netsort* all, int owner, int32_t position, int32_t step, int32_t value);

static inline int32_t* table_of(int32_t count, int32_t filled) {
  int32_t* const made = (int32_t*)malloc((size_t)count * sizeof *made);
  check(made != NULL, "there is no memory");
  for (int32_t i = 0; i < count; ++i) made[i] = filled;
  return made;
}

static inline struct netsort make_netsort(int self, int processes, int32_t count) {
  struct netsort all = {.self = self, .processes = processes, .count = count};
  all.owner = table_of(count, 0);
  all.value = table_of(count, 0);
  all.step = table_of(count, 0);
  for (int i = 0; i < 4; ++i) all.came[i] = table_of(count, absent);
  all.due = table_of(count, 0);
  return all;
}
static inline void free_netsort(struct netsort* all) {
  free(all->owner), free(all->value), free(all->step), free(all->due);
  for (int i = 0; i < 4; ++i) free(all->came[i]);
}

/// All processes make the same owners and values.
static inline void shuffle(struct netsort* all, uint64_t seed) {
  all->left = all->due_count = 0;
  all->seed = seed;
  for (int32_t i = 0; i < all->count; ++i) {
    all->owner[i] = (int32_t)netsort_member(seed, (uint32_t)i, -1, (uint32_t)all->processes);
    all->value[i] = netsort_value(seed, (uint32_t)i);
    all->step[i] = 0;
    all->left += all->owner[i] == all->self;
  }
}

/// The neighbour with whom a position is compared in a step; itself if there is none.
static inline int32_t neighbour(struct netsort const* all, int32_t position, int32_t step) {
  return (int32_t)netsort_partner(netsort_transposition, (uint32_t)all->count, (uint32_t)step, (uint32_t)position);
}

static inline void value_came(struct netsort* all, int32_t position, int32_t step, int32_t value) {
  all->came[step % 4][position] = value;
  if (all->step[position] == step) all->due[all->due_count++] = position;
}

/// A position begins a step: its value goes to its neighbour.
static inline void offer(struct netsort* all, int32_t position) {
  int32_t const step = all->step[position], other = neighbour(all, position, step);
  if (other == position) return;
  if (all->owner[other] != all->self)
    send_value(all, all->owner[other], other, step, all->value[position]);
  else
    value_came(all, other, step, all->value[position]);
}

/// Goes on with a position as far as its neighbours' values are there.
static inline void go_on(struct netsort* all, int32_t position) {
  while (all->step[position] < all->count) {
    int32_t const other = neighbour(all, position, all->step[position]);
    if (other != position) {
      int32_t* const came = &all->came[all->step[position] % 4][position];
      if (*came == absent) return;
      int32_t const mine = all->value[position], theirs = *came;
      *came = absent;
      all->value[position] = (other > position) == (theirs < mine) ? theirs : mine;
    }
    if (++all->step[position] == all->count)
      --all->left;
    else
      offer(all, position);
  }
}

static inline void go_on_with_due(struct netsort* all) {
  while (all->due_count > 0) go_on(all, all->due[--all->due_count]);
}

/// Own positions make their first offers. Each position is due once at a time.
static inline void begin(struct netsort* all) {
  for (int32_t i = 0; i < all->count; ++i) {
    if (all->owner[i] != all->self) continue;
    offer(all, i);
    if (neighbour(all, i, 0) == i) all->due[all->due_count++] = i;
  }
  go_on_with_due(all);
}

/// Of all values in the order of positions.
static inline void check_sorted(struct netsort const* all, int32_t const* values) {
  check(netsort_is_right(values, (uint32_t)all->count, all->seed),
        "the integers are not those of the beginning in order");
}
