/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 * Remote memory, puts and gets of all forms and sizes, and operations with data. */
#include <string.h>

#include "check.h"

static int self, count;
static unsigned char* own;      /* of dmcs_malloc, which everybody knows */
static unsigned char** windows; /* by process */
enum { most = 1 << 18 };

static void learn(int source, dmcs_arg_t address) { windows[source] = (unsigned char*)address; }

static unsigned char value(size_t i, int seed) { return (unsigned char)(i * 7 + (size_t)seed * 31 + 1); }
static void fill(unsigned char* to, size_t bytes, int seed) {
  for (size_t i = 0; i < bytes; ++i) to[i] = value(i, seed);
}
static int is_filled(unsigned char const* at, size_t bytes, int seed) {
  for (size_t i = 0; i < bytes; ++i)
    if (at[i] != value(i, seed)) return 0;
  return 1;
}

static size_t got_bytes;
static long got_calls;
static int got_right = 1;
static void with_data(int source, void* data, size_t bytes) {
  got_bytes += bytes;
  got_calls += 1;
  if ((uintptr_t)data % 16 != 0 || !is_filled(data, bytes, source)) got_right = 0;
}
static void with_own_data(int source, void* data, size_t bytes) {
  got_calls += 1;
  if (!is_filled(data, bytes, source)) got_right = 0;
}

static void check_contiguous(unsigned char* local, size_t bytes) {
  int const next = (self + 1) % count;
  dmcs_request done = DMCS_REQUEST_INIT;
  fill(local, bytes, self);
  dmcs_sync_put(next, windows[next], local, bytes);
  dmcs_barrier();
  CHECK(is_filled(own, bytes, (self + count - 1) % count));
  dmcs_barrier();

  dmcs_async_put(next, windows[next] + 3, local, bytes, NULL);
  memset(local, 0, bytes); /* it was copied */
  dmcs_sync_get(next, local, windows[next] + 3, bytes);
  CHECK(is_filled(local, bytes, self));
  dmcs_barrier();

  dmcs_async_put(next, windows[next] + 5, local, bytes, &done);
  dmcs_wait(&done);
  memset(local, 0, bytes);
  dmcs_async_get(next, local, windows[next] + 5, bytes, &done);
  dmcs_wait(&done);
  CHECK(dmcs_test(&done));
  CHECK(is_filled(local, bytes, self));
  dmcs_barrier();
}

static void check_operations(unsigned char* local, size_t bytes) {
  int const next = (self + 1) % count;
  dmcs_request done = DMCS_REQUEST_INIT;
  got_bytes = 0;
  got_calls = 0;
  dmcs_barrier();
  fill(local, bytes, self);
  dmcs_async_put_op(next, with_data, local, bytes, &done);
  dmcs_async_put_op(next, with_data, local, bytes, NULL);
  dmcs_sync_put_op(next, with_data, local, bytes);
  CHECK(got_calls == 0);
  dmcs_fence();
  CHECK(got_calls == 3 && got_bytes == 3 * bytes && got_right);
  CHECK(dmcs_test(&done));

  fill(own, bytes, self);
  dmcs_barrier();
  memset(local, 0, bytes);
  dmcs_sync_get_op(next, with_own_data, local, windows[next], bytes);
  CHECK(is_filled(local, bytes, next));
  CHECK(got_calls == 3);
  while (got_calls < 4) dmcs_poll();
  memset(local, 0, bytes);
  dmcs_async_get_op(next, with_own_data, local, windows[next], bytes, NULL);
  dmcs_fence(); /* which waits for it */
  CHECK(got_calls == 5 && got_right);
}

/* Pieces of growing sizes, some empty, with gaps between them. */
enum { pieces = 9 };
static size_t cut(dmcs_block list[pieces], unsigned char* at, size_t unit) {
  size_t all = 0;
  for (size_t i = 0; i < pieces; ++i) {
    list[i] = (dmcs_block){at, i == 4 ? 0 : unit + i};
    at += list[i].bytes + 2;
    all += list[i].bytes;
  }
  return all;
}
static int are_filled(dmcs_block const list[pieces], int seed) {
  size_t at = 0;
  for (size_t i = 0; i < pieces; ++i)
    for (size_t j = 0; j < list[i].bytes; ++j)
      if (((unsigned char*)list[i].address)[j] != value(at++, seed)) return 0;
  return 1;
}
static void fill_pieces(dmcs_block const list[pieces], int seed) {
  size_t at = 0;
  for (size_t i = 0; i < pieces; ++i)
    for (size_t j = 0; j < list[i].bytes; ++j) ((unsigned char*)list[i].address)[j] = value(at++, seed);
}

static void check_pieces(unsigned char* local, unsigned char* room, size_t unit) {
  int const next = (self + 1) % count, before = (self + count - 1) % count;
  dmcs_block there[pieces], here[pieces], mine[pieces];
  dmcs_request done = DMCS_REQUEST_INIT;
  size_t const all = cut(there, windows[next], unit);
  cut(mine, own, unit);
  cut(here, room, unit);
  for (int sync = 0; sync < 2; ++sync) {
    fill(local, all, self + sync);
    if (sync) dmcs_sync_put_scatter(next, there, pieces, local);
    if (!sync) dmcs_async_put_scatter(next, there, pieces, local, &done);
    dmcs_wait(&done);
    dmcs_fence();
    CHECK(are_filled(mine, before + sync));
    memset(local, 0, all);
    if (sync) dmcs_sync_get_gather(next, local, there, pieces);
    if (!sync) dmcs_async_get_gather(next, local, there, pieces, &done);
    dmcs_wait(&done);
    CHECK(is_filled(local, all, self + sync));
    dmcs_barrier();

    fill_pieces(here, self + 2 + sync);
    if (sync) dmcs_sync_put_gather(next, windows[next], here, pieces);
    if (!sync) dmcs_async_put_gather(next, windows[next], here, pieces, &done);
    dmcs_wait(&done);
    dmcs_fence();
    CHECK(is_filled(own, all, before + 2 + sync));
    memset(room, 0, all + 2 * pieces);
    if (sync) dmcs_sync_get_scatter(next, here, pieces, windows[next]);
    if (!sync) dmcs_async_get_scatter(next, here, pieces, windows[next], &done);
    dmcs_wait(&done);
    CHECK(are_filled(here, self + 2 + sync));
    dmcs_barrier();
  }
}

/* Memory that others give back. */
static void check_allocation(unsigned char const* local) {
  void* made = NULL;
  dmcs_request done = DMCS_REQUEST_INIT;
  int const next = (self + 1) % count;
  dmcs_async_malloc(next, 1000, &made, &done);
  dmcs_wait(&done);
  CHECK(made != NULL);
  dmcs_sync_put(next, made, local, 1000);
  dmcs_async_free(next, made);
  dmcs_free(next, dmcs_malloc(next, 1 << 20));
  dmcs_free(next, NULL);
}

int main(int argc, char** argv) {
  dmcs_init(&argc, &argv);
  self = dmcs_my_proc();
  count = dmcs_num_procs();
  windows = calloc((size_t)count, sizeof *windows);
  dmcs_register1(learn);
  dmcs_register_data(with_data);
  dmcs_register_data(with_own_data);
  own = dmcs_malloc(self, most + 64);
  CHECK(own != NULL && (uintptr_t)own % 64 == 0);
  for (int to = 0; to < count; ++to) dmcs_async_rsr1(to, learn, (dmcs_arg_t)own);
  dmcs_fence();

  unsigned char* const heap = malloc(2 * (most + 64));
  unsigned char* const segment = dmcs_malloc(self, 2 * (most + 64));
  size_t const sizes[] = {0, 1, 7, 8, 64, 4095, 4096, 8192, 65535, 65536, 200000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    check_contiguous(heap, sizes[i]);
    check_contiguous(segment, sizes[i]);
    check_operations(heap, sizes[i]);
    check_operations(segment, sizes[i]);
  }
  size_t const units[] = {1, 8, 600, 9000};
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
    check_pieces(heap, heap + most, units[i]);
    check_pieces(segment, segment + most, units[i]);
  }

  check_allocation(heap);
  if (argc > 1) CHECK(dmcs_malloc((self + 1) % count, (size_t)1 << 46) == NULL); /* sanitizers end the process */
  dmcs_free(self, segment);
  dmcs_fence();
  all_is_well();
  dmcs_shutdown();
  free(heap);
  free(windows);
  return 0;
}
