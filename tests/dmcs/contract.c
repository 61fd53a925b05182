/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * Every call of dmcs.h in its order there, and what its comment and the guide say of it. One process does it for
 * itself. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static int self, next, before;
static long called[5], sum, from_wrong, order; /* the calls, one digit for each */
static void note(int source, int kind) {
  called[kind] += 1;
  from_wrong += source != before;
  order = order * 10 + kind;
}
static void none(int source) { note(source, 0); }
static void one(int source, dmcs_arg_t a) { note(source, 1), sum += a; }
static void two(int source, dmcs_arg_t a, dmcs_arg_t b) { note(source, 2), sum += a - b; }
static void three(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c) { note(source, 3), sum += a - b + 2 * c; }
static void four(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c, dmcs_arg_t d) {
  note(source, 4), sum += a - b + 2 * c - 2 * d;
}

enum { bytes = 20000 };
static char* own;   /* memory here, */
static char* there; /* and at the next process */
static char local[bytes], back[bytes];
static void learn(int source, dmcs_arg_t address) {
  if (source == next) there = (char*)address;
}

static void fill(char* at, size_t count, int seed) {
  for (size_t i = 0; i < count; ++i) at[i] = (char)(i * 5 + (size_t)seed);
}
static int is_filled(char const* at, size_t count, int seed) {
  for (size_t i = 0; i < count; ++i)
    if (at[i] != (char)(i * 5 + (size_t)seed)) return 0;
  return 1;
}

static long data_calls, data_source;
static int data_right = 1;
static void data(int source, void* at, size_t count) {
  data_calls += 1;
  data_source = source;
  data_right &= (uintptr_t)at % 16 == 0 && count == bytes && is_filled(at, count, 7);
}
static void own_data(int source, void* at, size_t count) {
  data_calls += 1;
  data_source = source;
  data_right &= at == back && count == bytes;
}

static void begin(void) {
  dmcs_init(NULL, NULL);
  self = dmcs_my_proc();
  CHECK(self >= 0 && self < dmcs_num_procs());
  next = (self + 1) % dmcs_num_procs();
  before = (self + dmcs_num_procs() - 1) % dmcs_num_procs();
  CHECK(dmcs_register0(none) == 0 && dmcs_register1(one) == 1 && dmcs_register2(two) == 2);
  CHECK(dmcs_register3(three) == 3 && dmcs_register4(four) == 4 && dmcs_register_data(data) == 5);
  CHECK(dmcs_register_data(own_data) == 6 && dmcs_register1(learn) == 7);
}

/* Handlers run in a poll and in a fence, not in what sends or waits, in the order sent. A poll says how many it has
 * called. */
static void check_requests(void) {
  dmcs_async_rsr1(next, one, 1);
  dmcs_async_rsr2(next, two, 20, 10);
  dmcs_async_rsr3(next, three, 0, 0, 50);
  dmcs_async_rsr4(next, four, 0, 0, 1000, 500);
  dmcs_async_rsr0(next, none);
  dmcs_barrier();
  CHECK(called[0] + called[1] + called[2] + called[3] + called[4] == 0);
  long executed = 0;
  while (called[0] == 0) executed += dmcs_poll();
  CHECK(executed == 5 && sum == 1111 && order == 12340);
  dmcs_barrier();
  dmcs_sync_rsr0(next, none);
  dmcs_sync_rsr1(next, one, 1);
  dmcs_sync_rsr2(next, two, 20, 10);
  dmcs_sync_rsr3(next, three, 0, 0, 50);
  dmcs_sync_rsr4(next, four, 0, 0, 1000, 500);
  CHECK(called[4] == 1);
  dmcs_fence();
  for (int i = 0; i < 5; ++i) CHECK(called[i] == 2);
  CHECK(sum == 2222 && from_wrong == 0 && order == 1234001234);
}

/* A first message leaves at once, others in a flush: process 0 hears from process 1 while it calls nothing. */
static sig_atomic_t volatile told;
static void heard(int number) { told += number == SIGUSR1; }
static int asked;
static void tell(int source, dmcs_arg_t process) {
  asked += 1 + 0 * source;
  if (process != 0) kill((pid_t)process, SIGUSR1);
}
static void hear(int times) {
  for (int i = 0; told < times; ++i) {
    CHECK(i < 100000);
    usleep(100);
  }
}
static int answered;
static void answer_tell(int source) {
  dmcs_async_rsr1(source, tell, 0);
  ++answered;
}
/* What a handler has sent in a poll, or what is gathered before a wait, holds nothing up. */
static void check_leaving_behind(void) {
  if (self == 0) {
    dmcs_async_rsr1(1, tell, 0);
    dmcs_async_rsr1(1, tell, getpid());
    void* const made = dmcs_malloc(self, 8);
    hear(3);
    dmcs_free(self, made);
    int const before_these = asked;
    dmcs_async_rsr0(1, answer_tell);
    while (asked < before_these + 2) dmcs_poll();
  }
  if (self == 1) {
    while (answered == 0) dmcs_poll();
    dmcs_async_rsr1(0, tell, getpid());
    hear(1);
  }
}
static void check_leaving(int one_host) {
  CHECK(dmcs_register1(tell) == 8 && dmcs_register0(answer_tell) == 9);
  signal(SIGUSR1, heard);
  if (self == 0) dmcs_async_rsr1(1 % dmcs_num_procs(), tell, 0); /* what was met before a fence is forgotten */
  dmcs_fence();
  if (self == 0 && one_host && dmcs_num_procs() > 1) {
    dmcs_async_rsr1(1, tell, getpid());
    hear(1);
    dmcs_async_rsr1(1, tell, 0);
    dmcs_async_rsr1(1, tell, getpid());
    dmcs_flush();
    hear(2);
  }
  if (self == 1 && one_host)
    while (asked < 4) dmcs_poll();
  if (one_host && dmcs_num_procs() > 1) check_leaving_behind();
  dmcs_fence();
}

static void check_memory(void) {
  dmcs_request done = DMCS_REQUEST_INIT;
  void *first = NULL, *second = NULL;
  dmcs_async_malloc(next, 100, &first, &done);
  dmcs_async_malloc(next, bytes, &second, &done);
  CHECK(!dmcs_test(&done) && first == NULL); /* which receives nothing */
  dmcs_wait(&done);
  CHECK(dmcs_test(&done) && first != NULL && second != NULL && first != second);
  CHECK((uintptr_t)first % 64 == 0 && (uintptr_t)second % 64 == 0);
  dmcs_async_free(next, first);
  dmcs_free(next, second);
  dmcs_free(next, NULL);
  dmcs_async_free(next, NULL);
  own = dmcs_malloc(self, bytes);
  CHECK(own != NULL && (uintptr_t)own % 64 == 0);
  dmcs_async_rsr1(before, learn, (dmcs_arg_t)own);
  dmcs_fence();
}

static void check_puts_and_gets(void) {
  dmcs_request done = DMCS_REQUEST_INIT;
  fill(local, bytes, 1);
  dmcs_sync_put(next, there, local, bytes);
  dmcs_sync_get(next, back, there, bytes);
  CHECK(is_filled(back, bytes, 1));
  fill(local, bytes, 2);
  dmcs_async_put(next, there, local, bytes, NULL);
  memset(local, 0, bytes); /* it was copied */
  dmcs_async_get(next, back, there, bytes, NULL);
  dmcs_sync_get(next, local, there, 1); /* behind which the bytes are here */
  CHECK(is_filled(back, bytes, 2));
  fill(local, bytes, 3);
  dmcs_async_put(next, there, local, bytes, &done);
  dmcs_async_get(next, back, there, bytes, &done);
  CHECK(done.open >= 1);
  while (!dmcs_test(&done)) dmcs_poll();
  CHECK(done.open == 0 && is_filled(back, bytes, 3));
  dmcs_barrier(); /* puts take effect in what waits */
  CHECK(is_filled(own, bytes, 3));
  dmcs_fence();
}

/* The order of the bytes: those of the first piece come first, wherever the pieces are. The lists may change at once.
 */
static void check_pieces(int is_sync, int seed) {
  dmcs_request done = DMCS_REQUEST_INIT;
  dmcs_block here[] = {{local + 100, 30}, {local, 60}}, at[] = {{there + 500, 30}, {there + 300, 60}};
  fill(local + 100, 30, seed), fill(local, 60, seed + 30 * 5);
  is_sync ? dmcs_sync_put_gather(next, there, here, 2) : dmcs_async_put_gather(next, there, here, 2, NULL);
  dmcs_sync_get(next, back, there, 90);
  CHECK(is_filled(back, 90, seed));
  fill(local, 90, seed + 1);
  is_sync ? dmcs_sync_put_scatter(next, at, 2, local) : dmcs_async_put_scatter(next, at, 2, local, NULL);
  memset(back, 0, bytes);
  is_sync ? dmcs_sync_get_gather(next, back, at, 2) : dmcs_async_get_gather(next, back, at, 2, &done);
  memset(at, 0, sizeof at);
  dmcs_wait(&done);
  CHECK(is_filled(back, 90, seed + 1));
  memset(local, 0, 200);
  is_sync ? dmcs_sync_get_scatter(next, here, 2, there) : dmcs_async_get_scatter(next, here, 2, there, &done);
  memset(here, 0, sizeof here);
  dmcs_wait(&done);
  CHECK(is_filled(local + 100, 30, seed) && is_filled(local, 60, seed + 30 * 5));
  dmcs_fence();
}

static void check_operations(void) {
  dmcs_request done = DMCS_REQUEST_INIT;
  fill(local, bytes, 7);
  fill(own, bytes, 7);
  dmcs_async_put_op(next, data, local, bytes, NULL);
  dmcs_sync_put_op(next, data, local, bytes);
  dmcs_barrier();
  CHECK(data_calls == 0);
  dmcs_async_put_op(next, data, own, bytes, &done); /* in place */
  while (data_calls < 3) dmcs_poll();
  dmcs_wait(&done);
  CHECK(data_right && data_source == before);
  dmcs_fence();
  memset(back, 0, bytes);
  dmcs_sync_get_op(next, own_data, back, there, bytes);
  CHECK(is_filled(back, bytes, 7) && data_calls == 3);
  while (data_calls < 4) dmcs_poll();
  memset(back, 0, bytes);
  dmcs_async_get_op(next, own_data, back, there, bytes, &done);
  dmcs_wait(&done);
  CHECK(is_filled(back, bytes, 7) && data_calls == 4);
  dmcs_fence();
  CHECK(data_calls == 5 && data_right && data_source == next);
}

/* With threads: the pool polls. A shutdown is a fence. */
static _Atomic long pooled;
static void count(int source) {
  pooled += 1;
  (void)source;
}
static void check_pool(int pool) {
  pooled = 0;
  dmcs_init_threads(NULL, NULL, pool);
  CHECK(dmcs_register0(count) == 0);
  dmcs_barrier();
  dmcs_async_rsr0((dmcs_my_proc() + 1) % dmcs_num_procs(), count);
  dmcs_flush();
  while (pool > 0 && pooled == 0) usleep(100);
  dmcs_async_rsr0((dmcs_my_proc() + 1) % dmcs_num_procs(), count);
  dmcs_shutdown();
  if (pooled != 2) fprintf(stderr, "a shutdown has left a handler\n"), exit(1);
}

int main(int argc, char** argv) {
  check_pool(0); /* first: who starts MPI for one thread has it so */
  check_pool(2);
  begin();
  check_requests();
  check_leaving(argc < 2 || strcmp(argv[1], "hosts") != 0);
  check_memory();
  check_puts_and_gets();
  check_pieces(1, 10);
  check_pieces(0, 20);
  check_operations();
  dmcs_free(self, own);
  dmcs_async_rsr1(next, one, 1);
  all_is_well();
  dmcs_shutdown();
  if (called[1] != 3) fprintf(stderr, "the fence of dmcs_shutdown left a handler out\n");
  return called[1] == 3 ? 0 : 1;
}
