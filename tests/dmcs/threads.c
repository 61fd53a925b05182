/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * Several threads of a process call DMCS at once; a thread of the program, or threads of the library, poll. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { senders = 3, each = 700 };

static atomic_long called, with_data, sum, disorder;
static atomic_int stop;

static void add(int source, dmcs_arg_t thread, dmcs_arg_t number) {
  (void)source;
  (void)thread;
  sum += number;
  ++called;
}
static void data(int source, void* bytes, size_t count) {
  (void)source;
  for (size_t i = 0; i < count; ++i)
    if (((unsigned char*)bytes)[i] != count % 251) ++disorder;
  ++with_data;
}

static atomic_long total_called, total_with_data;
static void tell(int source, dmcs_arg_t calls, dmcs_arg_t calls_with_data) {
  (void)source;
  total_called += calls;
  total_with_data += calls_with_data;
}

/* With a pool, a process that waits in a collective call still answers. */
static atomic_int answers;
static void answer(int source) {
  (void)source;
  ++answers;
}
static void ask(int source) { dmcs_async_rsr0(source, answer); }
static void ask_of_waiting(void (*wait)(void)) {
  if (dmcs_my_proc() == 0) {
    answers = 0;
    for (int to = 1; to < dmcs_num_procs(); ++to) dmcs_async_rsr0(to, ask);
    dmcs_flush();
    while (answers < dmcs_num_procs() - 1) sched_yield();
  }
  wait();
}

/* In a fence, too, a handler sees what was put before it, and nothing that was put after. */
static long cell, out_of_turn;
static long* cell_of_next;
static void is_cell(int source, dmcs_arg_t where) {
  (void)source;
  cell_of_next = (long*)where;
}
static void look(int source, dmcs_arg_t expected) {
  (void)source;
  out_of_turn += cell != expected;
}
static void puts_and_requests_in_turn(void) {
  int const count = dmcs_num_procs(), next = (dmcs_my_proc() + 1) % count;
  dmcs_async_rsr1((dmcs_my_proc() + count - 1) % count, is_cell, (dmcs_arg_t)&cell);
  dmcs_fence();
  for (long i = 1; i <= 10; ++i) {
    dmcs_async_put(next, cell_of_next, &i, sizeof i, NULL);
    dmcs_async_rsr1(next, look, i);
  }
  dmcs_fence();
  CHECK(cell == 10 && out_of_turn == 0);
}

/* While requests to a process that does not receive wait for room, the others of their process go on: process 1 sleeps
 * until process 2, which waits for process 0, wakes it. */
static atomic_long to_wake;
static void is_process(int source, dmcs_arg_t process) {
  (void)source;
  to_wake = process;
}
static void* send(void* argument) {
  long const thread = (long)argument;
  int const count = dmcs_num_procs(), self = dmcs_my_proc();
  unsigned char bytes[900];
  for (long i = 1; i <= each; ++i) {
    int const to = (int)((self + i) % count);
    dmcs_async_rsr2(to, add, thread, i);
    if (i % 50 == 0) dmcs_sync_rsr2(to, add, thread, i + each);
    if (i % 50 == 0) {
      memset(bytes, (int)((size_t)i % sizeof bytes % 251), sizeof bytes);
      dmcs_async_put_op(to, data, bytes, (size_t)i % sizeof bytes, NULL);
    }
    if (i % 70 == 0) {
      void* const made = dmcs_malloc(to, 100);
      long value = i, got = 0;
      dmcs_sync_put(to, made, &value, sizeof value);
      dmcs_sync_get(to, &got, made, sizeof got);
      CHECK(got == i);
      dmcs_free(to, made);
    }
  }
  return NULL;
}

static void* poll(void* argument) {
  (void)argument;
  while (!stop) dmcs_poll();
  return NULL;
}

static int flood(void) {
  enum { floods = 200000 };
  sigset_t wake;
  int number = 0;
  long got = 0;
  sigemptyset(&wake);
  sigaddset(&wake, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &wake, NULL);
  dmcs_init_threads(NULL, NULL, 0);
  dmcs_register2(add);
  dmcs_register1(is_process);
  dmcs_register1(is_cell);
  int const self = dmcs_my_proc();
  if (self == 0) dmcs_async_rsr1(2, is_cell, (dmcs_arg_t)&cell);
  if (self == 1) dmcs_async_rsr1(2, is_process, getpid());
  dmcs_fence();
  if (self == 0) {
    pthread_t pollers[2];
    for (int i = 0; i < 2; ++i) pthread_create(&pollers[i], NULL, poll, NULL);
    for (long i = 0; i < floods; ++i) {
      dmcs_poll(); /* so that each is a first message */
      dmcs_async_rsr2(1, add, 0, i);
    }
    stop = 1;
    for (int i = 0; i < 2; ++i) pthread_join(pollers[i], NULL);
  } else if (self == 1) {
    sigwait(&wake, &number);
  } else {
    usleep(300000); /* until there is no room */
    dmcs_sync_get(0, &got, cell_of_next, sizeof got);
    kill((pid_t)to_wake, SIGUSR1);
  }
  dmcs_fence();
  CHECK(self != 1 || called == floods);
  all_is_well();
  dmcs_shutdown();
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "flood") == 0) return flood();
  int const pool = argc > 1 ? atoi(argv[1]) : 0;
  dmcs_init_threads(&argc, &argv, pool);
  dmcs_register2(add);
  dmcs_register2(tell);
  dmcs_register0(answer);
  dmcs_register0(ask);
  dmcs_register1(is_cell);
  dmcs_register1(look);
  dmcs_register_data(data);
  dmcs_barrier();
  pthread_t threads[senders], poller;
  if (pool == 0) pthread_create(&poller, NULL, poll, NULL);
  for (long i = 0; i < senders; ++i) pthread_create(&threads[i], NULL, send, (void*)i);
  for (int i = 0; i < senders; ++i) pthread_join(threads[i], NULL);
  stop = 1;
  if (pool == 0) pthread_join(poller, NULL);
  dmcs_fence();

  /* Process 0 gets what all have counted. */
  dmcs_async_rsr2(0, tell, called, with_data);
  dmcs_fence();
  CHECK(disorder == 0);
  long const all = (long)senders * dmcs_num_procs();
  if (dmcs_my_proc() == 0) CHECK(total_called == all * (each + each / 50) && total_with_data == all * (each / 50));
  dmcs_barrier();
  if (pool == 0) puts_and_requests_in_turn(); /* threads of a pool execute several at a time */
  if (pool != 0) {
    ask_of_waiting(dmcs_barrier);
    ask_of_waiting(dmcs_fence);
  }
  all_is_well();
  dmcs_shutdown();
  return 0;
}
