/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * The symbols by which programs take locks stand here, in front of the system's: a process of one thread takes none
 * while it communicates; one with threads does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "check.h"

static long taken;
static int counts;

#define IN_FRONT(name, type)                                    \
  int name(type* lock) {                                        \
    static int (*next)(type*);                                  \
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, #name); \
    taken += counts;                                            \
    return next(lock);                                          \
  }
IN_FRONT(pthread_mutex_lock, pthread_mutex_t)
IN_FRONT(pthread_mutex_trylock, pthread_mutex_t)
IN_FRONT(pthread_rwlock_rdlock, pthread_rwlock_t)
IN_FRONT(pthread_rwlock_wrlock, pthread_rwlock_t)
IN_FRONT(pthread_spin_lock, pthread_spinlock_t)

enum { rounds = 20 };
static long called, got;
static void count(int source, dmcs_arg_t a) {
  (void)source;
  called += a;
}
static void data(int source, void* bytes, size_t size) {
  (void)source;
  (void)bytes;
  got += (long)size;
}

int main(int argc, char** argv) {
  int const threads = argc > 1 && strcmp(argv[1], "threads") == 0;
  static char bytes[10000];
  if (threads) dmcs_init_threads(&argc, &argv, 0);
  if (!threads) dmcs_init(&argc, &argv);
  int const next = (dmcs_my_proc() + 1) % dmcs_num_procs();
  dmcs_register1(count);
  dmcs_register_data(data);
  for (int round = 0; round < rounds;
       ++round) { /* the first ones get the memory of buffers, for which there is a lock */
    long const before = called;
    void* const there = dmcs_malloc(next, sizeof bytes);
    dmcs_barrier();
    counts = round == rounds - 1;
    for (int i = 0; i < 1000; ++i) dmcs_async_rsr1(next, count, 1);
    dmcs_sync_rsr1(next, count, 1);
    dmcs_sync_put(next, there, bytes, sizeof bytes);
    dmcs_sync_get(next, bytes, there, sizeof bytes);
    dmcs_async_put_op(next, data, bytes, 100, NULL);
    while (called < before + 1001 || got < 100 * (round + 1)) dmcs_poll();
    counts = 0;
    dmcs_barrier();
    dmcs_free(next, there);
  }
  printf("%ld locks were taken\n", taken);
  CHECK(threads ? taken > 1000 : taken == 0);
  dmcs_shutdown();
  return 0;
}
