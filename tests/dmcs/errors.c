/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * One wrong use for each word; tests look for the text. */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void zero(int source) { (void)source; }
static void one(int source, dmcs_arg_t a) { (void)source, (void)a; }
static void poll_in(int source) {
  (void)source;
  dmcs_poll();
}

static void* end_beside(void* none) {
  dmcs_shutdown();
  return none;
}
static void* poll_beside(void* none) {
  dmcs_poll();
  return none;
}
static void beside(char const* what, void* (*other)(void*)) {
  pthread_t thread;
  if (strcmp(what, "end") == 0) dmcs_init_threads(NULL, NULL, 0);
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
}

static long used_pages(void) {
  long all = 0, resident = 0;
  FILE* const now = fopen("/proc/self/statm", "r");
  if (now == NULL || fscanf(now, "%ld %ld", &all, &resident) != 2) return 0;
  fclose(now);
  return resident;
}

static void more(char const* what) {
  if (strcmp(what, "thread") == 0) beside(what, poll_beside);
  if (strcmp(what, "forgotten") == 0) {
    dmcs_request never_begun = {12345};
    dmcs_wait(&never_begun);
  }
  if (strcmp(what, "fork") == 0) {
    int status = 1;
    pid_t const child = fork();
    if (child == 0) exit(0);
    waitpid(child, &status, 0);
    dmcs_fence();
    printf("the child's status is %d\n", status);
  }
  if (strcmp(what, "flush") == 0) {
    long const before = used_pages();
    for (int i = 0; i < 4000; ++i) {
      dmcs_async_rsr0(0, zero);
      dmcs_flush();
    }
    long const grown = (used_pages() - before) * sysconf(_SC_PAGESIZE);
    if (before != 0 && grown < 4 << 20) printf("4000 flushes take less than 4 MiB\n");
  }
}

static void with_pieces(char const* what) {
  char bytes[8] = {0};
  if (strcmp(what, "piece") == 0) {
    dmcs_block const two[] = {{bytes, 8}, {bytes, (size_t)-5}};
    dmcs_sync_put_gather(0, bytes, two, 2);
  }
  if (strcmp(what, "list") == 0) dmcs_sync_put_gather(0, bytes, NULL, 3);
  if (strcmp(what, "pieces") == 0) dmcs_sync_put_gather(0, bytes, &(dmcs_block){bytes, 1}, (size_t)1 << 62);
  if (strcmp(what, "sum") == 0) {
    dmcs_block const two[] = {{bytes, (size_t)1 << 46}, {bytes, ((size_t)1 << 46) + 1}};
    dmcs_sync_get_scatter(0, two, 2, bytes);
  }
}

int main(int argc, char** argv) {
  char const* const what = argc > 1 ? argv[1] : "";
  char bytes[8] = {0};
  if (strcmp(what, "early") == 0) dmcs_poll();
  if (strcmp(what, "end") == 0) beside(what, end_beside);
  dmcs_init(&argc, &argv);
  dmcs_register0(zero);
  dmcs_register0(poll_in);
  if (strcmp(what, "twice") == 0) dmcs_init(&argc, &argv);
  if (strcmp(what, "target") == 0) dmcs_async_rsr0(7, zero);
  if (strcmp(what, "negative") == 0) dmcs_sync_get(-1, bytes, bytes, 8);
  if (strcmp(what, "unregistered") == 0) dmcs_async_rsr1(0, one, 1);
  if (strcmp(what, "kind") == 0) dmcs_async_rsr1(0, (dmcs_handler1_t)(void (*)(void))zero, 1);
  if (strcmp(what, "nobody") == 0) dmcs_async_rsr1(0, NULL, 1);
  if (strcmp(what, "null") == 0) dmcs_sync_put(0, NULL, bytes, 8);
  if (strcmp(what, "size") == 0) dmcs_async_put(0, bytes, bytes, (size_t)-1, NULL);
  with_pieces(what);
  if (strcmp(what, "request") == 0) dmcs_wait(NULL);
  if (strcmp(what, "function") == 0) dmcs_register1(NULL);
  if (strcmp(what, "memory") == 0 && dmcs_malloc(0, SIZE_MAX - 65) == NULL) printf("there is none\n");
  if (strcmp(what, "free") == 0) {
    void* const made = dmcs_malloc(0, 100);
    dmcs_free(0, made);
    dmcs_free(0, made);
  }
  if (strcmp(what, "exit") == 0) return 0;
  if (strcmp(what, "calls") == 0) dmcs_my_proc() == 0 ? dmcs_barrier() : dmcs_fence();
  if (strcmp(what, "shutdown") == 0 && dmcs_my_proc() == 0) dmcs_fence();
  more(what);
  if (strcmp(what, "poll") == 0) {
    dmcs_async_rsr0(0, poll_in);
    dmcs_poll();
  }
  dmcs_shutdown();
  if (strcmp(what, "late") == 0) dmcs_my_proc();
  printf("all is well\n");
  return 0;
}
