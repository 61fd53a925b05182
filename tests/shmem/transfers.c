/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * Transfers, symmetric memory, and who is there. */
#include "check.h"

#include <stdint.h>
#include <string.h>

enum { count = 1000 };

static long global_words[4];
static int me, all, next, before;

/* Every PE puts to the next one, and gets from it what it has put. */
#define CHECK_TYPE(name, type)                                                  \
  static void check_##name(void) {                                              \
    type* const there = shmem_malloc(count * sizeof(type));                     \
    type here[count], back[count];                                              \
    for (int i = 0; i < count; ++i) {                                           \
      here[i] = (type)(me + i % 50);                                            \
      there[i] = 0;                                                             \
    }                                                                           \
    shmem_barrier_all();                                                        \
    shmem_##name##_put(there, here, count, next);                               \
    shmem_##name##_get(back, there, count, next);                               \
    CHECK(memcmp(here, back, sizeof here) == 0);                                \
    shmem_barrier_all();                                                        \
    for (int i = 0; i < count; ++i) CHECK(there[i] == (type)(before + i % 50)); \
    shmem_barrier_all();                                                        \
    shmem_##name##_iput(there, here, 3, 2, 10, next);                           \
    shmem_##name##_iget(back, there, 1, 3, 10, next);                           \
    for (int i = 0; i < 10; ++i) CHECK(back[i] == here[2 * i]);                 \
    shmem_##name##_p(there + 7, (type)(me + 1), next);                          \
    CHECK(shmem_##name##_g(there + 7, next) == (type)(me + 1));                 \
    shmem_##name##_get_nbi(back, there, 4, next);                               \
    shmem_quiet();                                                              \
    CHECK(back[3] == here[2]);                                                  \
    shmem_barrier_all();                                                        \
    CHECK(there[1] == (type)(before + 1) && there[7] == (type)(before + 1));    \
    shmem_free(there);                                                          \
  }
#define REALS(M) M(float, float) M(double, double) M(longdouble, long double)
#define NARROW(M) M(char, char) M(short, short) M(uchar, unsigned char) M(int8, int8_t) M(int16, int16_t)
#define WIDE(M) M(int, int) M(long, long) M(longlong, long long) M(uint, unsigned int)
#define NAMED(M) M(uint32, uint32_t) M(uint64, uint64_t) M(size, size_t) M(ptrdiff, ptrdiff_t)
#define TYPES(M) REALS(M) NARROW(M) WIDE(M) NAMED(M)
TYPES(CHECK_TYPE)
#define CALL(name, type) check_##name();

static void check_sizes(void) {
  uint64_t* const there = shmem_calloc(8, sizeof *there);
  uint64_t const here[] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint64_t back[8] = {0};
  for (int i = 0; i < 8; ++i) CHECK(there[i] == 0);
  shmem_barrier_all();
  shmem_put64(there, here, 2, next);
  shmem_put32(there + 2, here + 2, 2, next);
  shmem_put16(there + 3, here + 3, 4, next);
  shmem_put8(there + 4, here + 4, 8, next);
  shmem_put128(there + 5, here + 5, 1, next);
  shmem_putmem(there + 7, here + 7, 8, next);
  shmem_getmem(back, there, sizeof back, next);
  CHECK(memcmp(back, here, sizeof back) == 0);
  shmem_iput64(there, here, 2, 1, 4, next);
  shmem_iget64(back, there, 1, 2, 4, next);
  CHECK(back[3] == 4);
  shmem_put64(there, here, 0, next); /* nothing */
  shmem_barrier_all();
  CHECK(there[0] == 1 && there[2] == 2 && there[6] == 4 && there[7] == 8);
  shmem_free(there);
}

static void check_variables(void) {
  static int in_function;
  long const value = 100 + me;
  CHECK(shmem_addr_accessible(global_words, next));
  shmem_long_put(&global_words[1], &value, 1, next);
  shmem_int_p(&in_function, me, next);
  shmem_barrier_all();
  CHECK(global_words[1] == 100 + before && in_function == before);
  shmem_long_atomic_add(&global_words[2], me + 1, 0);
  shmem_barrier_all();
  if (me == 0) CHECK(global_words[2] == (long)all * (all + 1) / 2);
}

static void check_heap(void) {
  enum { pieces = 20 };
  char* got[pieces];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < pieces; ++i) {
      got[i] = shmem_malloc((size_t)(i * i * 1000 + 1));
      CHECK(got[i] != NULL);
      *got[i] = (char)i;
    }
    for (int i = 0; i < pieces; ++i) CHECK(*got[i] == (char)i);
    for (int i = 0; i < pieces; i += 2) shmem_free(got[i]);
    long* const between = shmem_align(4096, 5000);
    CHECK((uintptr_t)between % 4096 == 0);
    shmem_long_p(between + 3, me, next);
    shmem_barrier_all();
    CHECK(between[3] == before);
    shmem_free(between);
    for (int i = 1; i < pieces; i += 2) shmem_free(got[i]);
  }
  // Open MPI's gives a pointer.
  if (SHMEM_MINOR_VERSION >= 5) CHECK(shmem_malloc(0) == NULL);
  char* large = shmem_malloc((size_t)20 << 20);
  large[((size_t)20 << 20) - 1] = (char)me;
  shmem_barrier_all();
  CHECK(shmem_char_g(large + ((size_t)20 << 20) - 1, next) == (char)next);
  shmem_barrier_all();
  large = shmem_realloc(large, (size_t)21 << 20);
  CHECK(shmem_char_g(large + ((size_t)20 << 20) - 1, next) == (char)next);
  shmem_free(large);
}

static void check_pointers(void) {
  int* const there = shmem_malloc(sizeof *there);
  *there = me;
  shmem_barrier_all();
  int const* const seen = shmem_ptr(there, next);
  CHECK(shmem_ptr(there, me) == there);
  CHECK(seen == NULL || *seen == next);
  int outside = 0;
  CHECK(!shmem_addr_accessible(&outside, next) && shmem_pe_accessible(next) && !shmem_pe_accessible(all));
  shmem_barrier_all();
  shmem_free(there);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  all = shmem_n_pes();
  next = (me + 1) % all;
  before = (me + all - 1) % all;
  TYPES(CALL)
  check_sizes();
  check_variables();
  check_heap();
  check_pointers();
  passed();
  return 0;
}
