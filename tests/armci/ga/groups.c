// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What the processes of Global Arrays do together: groups with arrays of their own, reductions, broadcasts, shared
// counters, locks, fences.
//
// GA_Pgroup_duplicate is left out: over any ARMCI it crashes for the world, and has the wrong members for other groups.
#include "tables.h"

static int rank, ranks;

// --- Reductions and broadcasts, over a group of the ranks FIRST, FIRST + STEP, ... ----------------------------------

typedef struct {
  int handle, first, step, count;
} team;

// What the member M of a team contributes at place I: small, so that products are exact.
static number given(kind const* type, int m, int i) {
  return (number){(m + i) % 3 + 1, type->complex ? (m * 2 + i) % 3 - 1 : 0};
}

static number combined(char const* operation, kind const* type, team const* of, int i) {
  number all = given(type, of->first, i);
  for (int k = 1; k < of->count; ++k) {
    number const one = given(type, of->first + k * of->step, i);
    switch (operation[0] == 'm' ? operation[1] : operation[0]) {
      case '+':
        all = sum(all, one);
        break;
      case '*':
        all = product(all, one);
        break;
      case 'a':
        all = one.re > all.re ? one : all;
        break;
      default:
        all = one.re < all.re ? one : all;
    }
  }
  return all;
}

// Each of Global Arrays' functions for one type, with the group's handle.
static void reduce(team const* of, kind const* type, void* values, int n, char const* operation) {
  char* const op = text_of(operation);
  switch (type - kinds) {
    case kind_int:
      GA_Pgroup_igop(of->handle, values, n, op);
      break;
    case kind_long:
      GA_Pgroup_lgop(of->handle, values, n, op);
      break;
    case kind_float:
      GA_Pgroup_fgop(of->handle, values, n, op);
      break;
    case kind_double:
      GA_Pgroup_dgop(of->handle, values, n, op);
      break;
    case kind_scomplex:
      GA_Pgroup_cgop(of->handle, values, n, op);
      break;
    default:
      GA_Pgroup_zgop(of->handle, values, n, op);
  }
}

static void check_reduction(team const* of, kind const* type, char const* operation, int n) {
  void* const values = allocate((size_t)n * type->size);
  for (int i = 0; i < n; ++i) {
    store(type, values, (size_t)i, given(type, rank, i));
  }
  reduce(of, type, values, n, operation);
  for (int i = 0; i < n; ++i) {
    number const got = load(type, values, (size_t)i), expected = combined(operation, type, of, i);
    if (got.re != expected.re || got.im != expected.im) {
      FAIL("'%s' of %s over %d processes at %d of %d: got (%g, %g), expected (%g, %g)", operation, type->name,
           of->count, i, n, got.re, got.im, expected.re, expected.im);
    }
  }
  free(values);
}

// Each type with operations that it has, one time short and one time long. Over MPICH a reduction of more processes
// than cores takes 60 ms.
static void reductions(team const* of) {
  static char const* const operations[] = {"+", "*", "max", "min"};
  for (int type = 0; type < kind_count; ++type) {
    for (int i = 0; i < (kinds[type].complex || ranks > 4 ? 1 : 4); ++i) {
      int const which = kinds[type].complex ? 0 : (type + i) % 4;
      check_reduction(of, &kinds[type], operations[which], (type + i) % 2 == 0 ? 3 : 700);
    }
  }
}

static void broadcast(team const* of) {
  int const root = of->count - 1, mine = (rank - of->first) / of->step;
  double values[300];
  for (int i = 0; i < 300; ++i) {
    values[i] = mine == root ? i + of->first : -1;
  }
  GA_Pgroup_brdcst(of->handle, values, sizeof values, root);
  for (int i = 0; i < 300; ++i) {
    NEAR(values[i], i + of->first, 0, "a broadcast in a group, at %d", i);
  }
}

// --- Groups ------------------------------------------------------------------------------------------------------

static void check_members(team const* of) {
  EQUAL(GA_Pgroup_nnodes(of->handle), of->count, "the size of a group");
  int const mine = (rank - of->first) / of->step;
  EQUAL(GA_Pgroup_nodeid(of->handle), mine, "the rank in a group");
  for (int k = 0; k < of->count; ++k) {
    EQUAL(GA_Pgroup_absolute_id(of->handle, k), of->first + k * of->step, "member %d of a group", k);
  }
}

// Groups of a job do the same at the same time, with arrays that they do not share.
static void array_of_group(team const* of) {
  int const dims[2] = {13, 8};
  table t = planned(kind_double, 2, dims, 40 + of->first);
  t.handle = NGA_Create_config(t.of->id, 2, t.dims, text_of("of a group"), NULL, of->handle);
  EQUAL(GA_Get_pgroup(t.handle), of->handle, "GA_Get_pgroup");
  if (rank == of->first) {
    box b = whole(2, t.dims);
    int ld[most_dims];
    void* const buffer = copy_of(&t, b, ld);
    NGA_Put(t.handle, b.lo, b.hi, buffer, ld);
    free(buffer);
  }
  GA_Pgroup_sync(of->handle);
  expect_table("an array of a group", &t);
  int seen = 0;
  for (int k = 0; k < of->count; ++k) {
    seen += (int)volume(2, owned_by(&t, k));
  }
  EQUAL(seen, dims[0] * dims[1], "elements that a group's members own");
  GA_Pgroup_sync(of->handle);
  end_table(&t);
}

// With a default group, ranks, arrays and collective calls are the group's.
static void as_default(team const* of) {
  int const dims[1] = {37}, world = GA_Pgroup_get_world();
  GA_Pgroup_set_default(of->handle);
  EQUAL(GA_Pgroup_get_default(), of->handle, "the default group");
  EQUAL(GA_Nnodes(), of->count, "the processes of the default group");
  EQUAL(GA_Nodeid(), (rank - of->first) / of->step, "the rank in the default group");
  table t = made_table(kind_long, 1, dims, 50 + of->first);
  exercise("of the default group", &t, 50 + of->first);
  int count = 1;
  GA_Igop(&count, 1, text_of("+"));
  EQUAL(count, of->count, "a sum over the default group");
  long root = GA_Nodeid() == 0 ? 77 + of->first : 0;
  GA_Brdcst(&root, sizeof root, 0);
  EQUAL(root, 77 + of->first, "a broadcast in the default group");
  end_table(&t);
  GA_Pgroup_set_default(world);
  EQUAL(GA_Nnodes(), ranks, "the processes of the world");
  GA_Sync();
}

// Even and odd ranks.
static team half(void) {
  team t = {.first = rank % 2, .step = 2};
  int list[64];
  for (int other = t.first; other < ranks; other += 2) {
    list[t.count++] = other;
  }
  t.handle = GA_Pgroup_create(list, t.count);
  return t;
}

// By a color for each process, and by a number of groups, which then have consecutive ranks.
static void splits(void) {
  int const color = rank % 3;
  team const third = {.handle = GA_Pgroup_split_irreg(GA_Pgroup_get_world(), color),
                      .first = color,
                      .step = 3,
                      .count = (ranks - color + 2) / 3};
  check_members(&third);
  broadcast(&third);
  GA_Pgroup_destroy(third.handle);
  GA_Sync();
  int const size = (ranks + 1) / 2, first = rank / size * size;
  team const part = {.handle = GA_Pgroup_split(GA_Pgroup_get_world(), 2),
                     .first = first,
                     .step = 1,
                     .count = first + size < ranks ? size : ranks - first};
  check_members(&part);
  broadcast(&part);
  GA_Pgroup_destroy(part.handle);
}

// --- Counters, locks, fences -------------------------------------------------------------------------------------

enum { turns = 40 };

// Each value is handed out once. Each process notes what it got.
static void counters(int of) {
  int dims[1] = {5}, at[1] = {3}, ticket_dims[1] = {turns * ranks}, lo[1], hi[1], ld[1] = {1};
  int const counter = NGA_Create(kinds[of].id, 1, dims, text_of("counter"), NULL);
  int const tickets = NGA_Create(C_INT, 1, ticket_dims, text_of("tickets"), NULL);
  GA_Zero(counter);
  GA_Zero(tickets);
  int one = 1;
  for (int i = 0; i < turns; ++i) {
    long const got = NGA_Read_inc(counter, at, 3);
    EQUAL(got % 3 == 0 && got >= 0 && got < 3L * turns * ranks, 1, "NGA_Read_inc gave %ld: a multiple of 3", got);
    lo[0] = (int)got / 3;
    NGA_Acc(tickets, lo, lo, &one, ld, &one);
  }
  GA_Sync();
  int* const seen = allocate((size_t)(turns * ranks) * sizeof(int));
  lo[0] = 0;
  hi[0] = turns * ranks - 1;
  NGA_Get(tickets, lo, hi, seen, ld);
  for (int i = 0; i <= hi[0]; ++i) {
    EQUAL(seen[i], 1, "how often NGA_Read_inc gave %d", 3 * i);
  }
  EQUAL(NGA_Read_inc(counter, at, 0), 3L * turns * ranks, "the end of a counter");
  free(seen);
  GA_Destroy(tickets);
  GA_Destroy(counter);
}

// Sums without atomics, each under one of several locks.
static void locks(void) {
  enum { count = 3 };
  int dims[1] = {count}, ld[1] = {1};
  int const handle = NGA_Create(C_DBL, 1, dims, text_of("under locks"), NULL);
  GA_Zero(handle);
  EQUAL(GA_Create_mutexes(count) != 0, 1, "GA_Create_mutexes");
  for (int i = 0; i < turns; ++i) {
    int at[1] = {(i + rank) % count};
    double value;
    GA_Lock(at[0]);
    NGA_Get(handle, at, at, &value, ld);
    value += 1;
    GA_Init_fence();
    NGA_Put(handle, at, at, &value, ld);
    GA_Fence();
    GA_Unlock(at[0]);
  }
  GA_Sync();
  int lo[1] = {0}, hi[1] = {count - 1};
  double got[count], expected[count] = {0};
  for (int i = 0; i < turns; ++i) {
    for (int other = 0; other < ranks; ++other) {
      expected[(i + other) % count] += 1;
    }
  }
  NGA_Get(handle, lo, hi, got, ld);
  for (int i = 0; i < count; ++i) {
    NEAR(got[i], expected[i], 0, "the sum under lock %d", i);
  }
  EQUAL(GA_Destroy_mutexes() != 0, 1, "GA_Destroy_mutexes");
  GA_Destroy(handle);
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.groups");
  rank = GA_Nodeid();
  ranks = GA_Nnodes();
  team const world = {.handle = GA_Pgroup_get_world(), .step = 1, .count = ranks}, mine = half();
  check_members(&world);
  check_members(&mine);
  reductions(ranks < 7 ? &world : &mine);
  broadcast(&mine);
  array_of_group(&mine);
  as_default(&mine);
  splits();
  GA_Pgroup_destroy(mine.handle);
  counters(ranks % 2 == 0 ? kind_int : kind_long);
  locks();
  return finish("armci.ga.groups");
}
