/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * The symbols by which programs take locks stand here, in front of the system's. Counted is who takes one: the
 * libraries of Sheaf, by the address to which the call returns, in any thread. MPI's locks are MPI's. A process of one
 * thread takes none in any call of DMCS within a host, but the one of memory, which is learnt from dmcs_malloc; that
 * one seldom, since buffers are used again. One with threads takes locks in each call. That a library names such a
 * symbol says nothing, since it serves both; but it must name no other than these (dmcs.locks.symbols). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "check.h"

static long taken, of_memory; /* of atomic access: threads of the library take locks, too */
static void *memory, *last;   /* the lock of memory, and the last one taken */
static int counts, threads;

static int is_ours(void const* caller) {
  Dl_info at;
  if (dladdr(caller, &at) == 0 || at.dli_fname == NULL) return 0;
  char const* const slash = strrchr(at.dli_fname, '/');
  char const* const name = slash == NULL ? at.dli_fname : slash + 1;
  return strncmp(name, "libsheaf", 8) == 0 || strncmp(name, "libdmcs", 7) == 0;
}

static void count_lock(void* lock, void const* caller) {
  if (!counts || !is_ours(caller)) return;
  __atomic_fetch_add(lock == memory ? &of_memory : &taken, 1, __ATOMIC_RELAXED);
  last = lock;
}

#define IN_FRONT(name, type)                                    \
  int name(type* lock) {                                        \
    static int (*next)(type*);                                  \
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, #name); \
    count_lock((void*)lock, __builtin_return_address(0));       \
    return next(lock);                                          \
  }
IN_FRONT(pthread_mutex_lock, pthread_mutex_t)
IN_FRONT(pthread_mutex_trylock, pthread_mutex_t)
IN_FRONT(pthread_rwlock_rdlock, pthread_rwlock_t)
IN_FRONT(pthread_rwlock_wrlock, pthread_rwlock_t)
IN_FRONT(pthread_spin_lock, pthread_spinlock_t)

static int self, next;
static long called;
static void none(int source) { called += 1 + 0 * source; }
static void one(int source, dmcs_arg_t a) { called += a + 0 * source; }
static void two(int source, dmcs_arg_t a, dmcs_arg_t b) { called += a + b + 0 * source; }
static void three(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c) { called += a + b + c + 0 * source; }
static void four(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c, dmcs_arg_t d) {
  called += a + b + c + d + 0 * source;
}
static long polls;
static void polled(int source) { polls += 1 + 0 * source; }
static void data(int source, void* bytes, size_t size) {
  (void)bytes;
  called += size != 0 ? 1 : 0 * source;
}

/* Data of ordinary memory, and of memory of DMCS, which others read in place; small, of several buffers, and large. */
enum { most = 200000 };
static char ordinary[most];
static char *own, *there; /* of dmcs_malloc: here, and at the next process */
static char* here;
static size_t size;
static dmcs_request done = DMCS_REQUEST_INIT;

static void ask(void) {
  CHECK(dmcs_my_proc() == self && dmcs_num_procs() > 0);
  CHECK(dmcs_test(&done));
}
static void async_rsr(void) {
  for (int i = 0; i < 200; ++i) {
    dmcs_async_rsr0(next, none);
    dmcs_async_rsr1(next, one, 1);
    dmcs_async_rsr2(next, two, 1, 0);
    dmcs_async_rsr3(next, three, 1, 0, 0);
    dmcs_async_rsr4(next, four, 1, 0, 0, 0);
  }
  dmcs_flush();
}
static void sync_rsr(void) {
  dmcs_sync_rsr0(next, none);
  dmcs_sync_rsr1(next, one, 1);
  dmcs_sync_rsr2(next, two, 1, 0);
  dmcs_sync_rsr3(next, three, 1, 0, 0);
  dmcs_sync_rsr4(next, four, 1, 0, 0, 0);
}
static void poll_all(void) {
  static long asked;
  dmcs_async_rsr0(next, polled);
  for (++asked; polls < asked;) dmcs_poll();
}
static void put(void) {
  dmcs_sync_put(next, there, here, size);
  dmcs_async_put(next, there, here, size, NULL);
  dmcs_async_put(next, there, here, size, &done);
  dmcs_wait(&done);
}
static void get(void) {
  dmcs_sync_get(next, here, there, size);
  dmcs_async_get(next, here, there, size, &done);
  dmcs_wait(&done);
  dmcs_async_get(next, here, there, size, NULL);
}
static void put_op(void) {
  dmcs_sync_put_op(next, data, here, size);
  dmcs_async_put_op(next, data, here, size, NULL);
  dmcs_async_put_op(next, data, here, size, &done);
  dmcs_wait(&done);
}
static void get_op(void) {
  dmcs_sync_get_op(next, data, here, there, size);
  dmcs_async_get_op(next, data, here, there, size, &done);
  dmcs_wait(&done);
}
static void pieces(void) {
  dmcs_block const of_here[] = {{here, size / 2}, {here + size / 2, size - size / 2}};
  dmcs_block const of_there[] = {{there, size / 3}, {there + size / 3, size - size / 3}};
  dmcs_sync_put_gather(next, there, of_here, 2);
  dmcs_async_put_gather(next, there, of_here, 2, &done);
  dmcs_sync_put_scatter(next, of_there, 2, here);
  dmcs_async_put_scatter(next, of_there, 2, here, &done);
  dmcs_sync_get_gather(next, here, of_there, 2);
  dmcs_async_get_gather(next, here, of_there, 2, &done);
  dmcs_sync_get_scatter(next, of_here, 2, there);
  dmcs_async_get_scatter(next, of_here, 2, there, &done);
  dmcs_wait(&done);
}
static void give(void) {
  void* made = NULL;
  dmcs_free(next, dmcs_malloc(next, size));
  dmcs_async_malloc(next, size, &made, &done);
  dmcs_wait(&done);
  dmcs_async_free(next, made);
}

static struct step {
  char const* name;
  void (*act)(void);
  int has_data, gives_memory;
} const steps[] = {{"requests, async", async_rsr, 0, 0},
                   {"requests, sync", sync_rsr, 0, 0},
                   {"poll", poll_all, 0, 0},
                   {"barrier", dmcs_barrier, 0, 0},
                   {"fence", dmcs_fence, 0, 0},
                   {"my_proc, num_procs, test", ask, 0, 0},
                   {"put", put, 1, 0},
                   {"get", get, 1, 0},
                   {"put_op", put_op, 1, 0},
                   {"get_op", get_op, 1, 0},
                   {"gather and scatter", pieces, 1, 0},
                   {"malloc and free", give, 1, 1}};

/* A step, and all that it causes anywhere. */
static void count(struct step const* of) {
  dmcs_fence();
  taken = of_memory = 0;
  counts = 1;
  of->act();
  if (threads) counts = 0; /* the call alone: other threads take locks in any case */
  dmcs_fence();
  counts = 0;
}

static int is_right(struct step const* of) {
  int const has_buffers_alone = (of->has_data && size > 100) || of->gives_memory;
  if (threads) return taken > 0;
  return taken == 0 && (has_buffers_alone || of_memory <= 32);
}

/* Returns how many steps take other locks than they may. */
static long play(int is_last) {
  size_t const sizes[] = {8, 100, 5000, 70000, most};
  long wrong = 0;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    for (size_t form = 0; form < (steps[i].has_data ? 10 : 1); ++form) {
      size = sizes[form / 2];
      here = form % 2 == 0 ? ordinary : own;
      count(&steps[i]);
      if (is_right(&steps[i])) continue;
      ++wrong;
      if (is_last)
        printf("[%d] %s of %zu bytes: %ld locks, %ld of memory\n", self, steps[i].name, size, taken, of_memory);
    }
  }
  return wrong;
}

/* Memory is given and taken back by one lock; by none, if the process is alone. */
static void learn(void) {
  counts = 1;
  void* const made = dmcs_malloc(self, 1000);
  void* const lock = last;
  dmcs_free(self, made);
  counts = 0;
  CHECK(last == lock);
  memory = lock;
}

int main(int argc, char** argv) {
  enum { rounds = 20 }; /* the first ones get the memory of buffers, for which there is a lock */
  threads = argc > 1 && strcmp(argv[1], "threads") == 0;
  if (threads) dmcs_init_threads(&argc, &argv, 0);
  if (!threads) dmcs_init(&argc, &argv);
  self = dmcs_my_proc();
  next = (self + 1) % dmcs_num_procs();
  dmcs_register0(none);
  dmcs_register0(polled);
  dmcs_register1(one);
  dmcs_register2(two);
  dmcs_register3(three);
  dmcs_register4(four);
  dmcs_register_data(data);
  own = dmcs_malloc(self, most);
  there = dmcs_malloc(next, most);
  if (!threads) learn();
  long wrong = 0;
  for (int round = 0; round < rounds; ++round) wrong = play(round == rounds - 1);
  CHECK(wrong == 0);
  dmcs_free(next, there);
  dmcs_free(self, own);
  all_is_well();
  dmcs_shutdown();
  return 0;
}
