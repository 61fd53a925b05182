// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Eight bytes of another process: ns of an ARMCI_Get, an ARMCI_Put (with a fence after a thousand), or an ARMCI_Rmw
/// that adds, by process 0 at the others in turn. They wait in a barrier (--target wait); or else, for some
/// milliseconds at a time, sleep or compute (--target sleep, compute), during the first half of which process 0
/// operates, each operation with a look at the clock.
#include <time.h>

#include "compat/armci_process.h"

enum { words = 16, in_block = 1000, blocks = 101, period_ns = 20000000 };

struct work {
  struct process self;
  void** bases;
  long* local;
  long issued, read;  // how many operations, and the sum of what they read
};

/// Where the next operation goes, so that all words of all other processes have their turn.
static int next_target(struct work const* work) { return 1 + (int)(work->issued % (work->self.count - 1)); }

static long* next_word(struct work const* work, int target) {
  return (long*)work->bases[target] + work->issued % words;
}

static void get(void* context, int number) {
  struct work* const work = context;
  int const target = next_target(work);
  (void)number;
  ARMCI_Get(next_word(work, target), work->local, sizeof(long), target);
  work->read += *work->local;
  ++work->issued;
}

static void put(void* context, int number) {
  struct work* const work = context;
  int const target = next_target(work);
  (void)number;
  *work->local = work->issued + 1;
  ARMCI_Put(work->local, next_word(work, target), sizeof(long), target);
  ++work->issued;
}

static void add(void* context, int number) {
  struct work* const work = context;
  int const target = next_target(work);
  (void)number;
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, work->local, work->bases[target], 1, target);
  work->read += *work->local;
  ++work->issued;
}

static void fence(void* context) {
  (void)context;
  ARMCI_AllFence();
}

/// The state of a target for a period.
static void pass(char const* state) {
  long long const end = now_ns() + period_ns;
  if (strcmp(state, "sleep") == 0) {
    struct timespec const period = {0, period_ns};
    nanosleep(&period, NULL);
  } else if (strcmp(state, "compute") == 0) {
    while (now_ns() < end) continue;
  }
}

/// ns of an operation while the targets are in that state: what they all take, over how many they are.
static double while_away(void (*operation)(void*, int), void (*after)(void*), struct work* work) {
  long long const half = now_ns() + period_ns / 2;
  while (now_ns() < half - period_ns / 4) continue;  // until the others are surely there
  long long const start = now_ns();
  int number = 0;
  do operation(work, number++);  // at least once, where this process did not get its core in time
  while (now_ns() < half);
  if (after != NULL) after(work);
  return (double)(now_ns() - start) / number;
}

static void measure(struct work* work, char const* op, char const* state, int reps, struct samples* to) {
  void (*const operation)(void*, int) = strcmp(op, "get") == 0 ? get : strcmp(op, "put") == 0 ? put : add;
  void (*const after)(void*) = strcmp(op, "put") == 0 ? fence : NULL;
  for (int r = -2; r < reps; ++r) {
    ARMCI_Barrier();
    double value = 0;
    if (work->self.rank != 0) {
      pass(state);
    } else if (strcmp(state, "wait") == 0) {
      value = ns_each(blocks, in_block, operation, after, work);
    } else {
      value = while_away(operation, after, work);
    }
    if (r >= 0 && work->self.rank == 0) add_sample(to, value);
  }
  ARMCI_Barrier();
}

/// What process 0 read, and what the others' words hold, is what so many operations leave.
static void check_result(struct work* work, char const* op) {
  long const* const own = work->bases[work->self.rank];
  long issued = work->issued, last = 0, sum = 0, total = 0;
  for (int i = 0; i < words; ++i) {
    sum += own[i];
    if (own[i] > last) last = own[i];
  }
  MPI_Bcast(&issued, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (strcmp(op, "put") == 0 && work->self.rank != 0) {
    check_in_job(last > 0 && last > issued - (work->self.count - 1), "the last put did not arrive");
  }
  if (work->self.rank != 0) return;
  if (strcmp(op, "get") == 0) check_in_job(work->read == issued * 7, "a get read something else");
  if (strcmp(op, "rmw") != 0) return;
  check_in_job(total == issued, "an addition was lost, or came twice");
  if (work->self.count == 2) check_in_job(work->read == issued * (issued - 1) / 2, "an addition read something else");
}

int main(int argc, char** argv) {
  struct work work = {.self = start_armci(&argc, &argv)};
  char const* const op = text_of(argc, argv, "--op", "get");
  char const* const state = text_of(argc, argv, "--target", "wait");
  work.bases = malloc_shared(&work.self, words * sizeof(long));
  work.local = ARMCI_Malloc_local(sizeof(long));
  for (int i = 0; i < words; ++i) ((long*)work.bases[work.self.rank])[i] = strcmp(op, "get") == 0 ? 7 : 0;
  static struct part result = {.name = "word"};
  measure(&work, op, state, reps_of(argc, argv, 9), &result.ours);
  check_result(&work, op);
  if (work.self.rank == 0) print_result("ns", &result, 1);
  ARMCI_Free_local(work.local);
  free_shared(&work.self, work.bases);
  end_armci();
}
