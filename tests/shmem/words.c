/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * Atomics, waits, signals and locks. */
#include "check.h"

#include <stdint.h>

enum { rounds = 100 };

static int me, all, next, before;

#define CHECK_TYPE(name, type)                                                        \
  static void check_##name(void) {                                                    \
    type* const word = shmem_calloc(2, sizeof *word);                                 \
    shmem_barrier_all(); /* Open MPI's may still clear it elsewhere */                \
    for (int i = 0; i < rounds; ++i) shmem_##name##_atomic_add(word, (type)2, 0);     \
    for (int i = 0; i < rounds; ++i) shmem_##name##_atomic_fetch_inc(word, i % all);  \
    shmem_barrier_all();                                                              \
    type sum = 0;                                                                     \
    for (int pe = 0; pe < all; ++pe) sum += shmem_##name##_atomic_fetch(word, pe);    \
    CHECK(sum == (type)(3 * rounds * all));                                           \
    shmem_barrier_all();                                                              \
    shmem_##name##_atomic_set(word + 1, (type)7, next);                               \
    CHECK(shmem_##name##_atomic_compare_swap(word + 1, (type)6, (type)1, next) == 7); \
    CHECK(shmem_##name##_atomic_compare_swap(word + 1, (type)7, (type)9, next) == 7); \
    CHECK(shmem_##name##_atomic_swap(word + 1, (type)11, next) == 9);                 \
    CHECK(shmem_##name##_atomic_fetch_add(word + 1, (type)-2, next) == 11);           \
    shmem_##name##_atomic_inc(word + 1, next);                                        \
    shmem_barrier_all();                                                              \
    CHECK(word[1] == 10);                                                             \
    shmem_barrier_all();                                                              \
    shmem_##name##_p(word, (type)(me + 1), next);                                     \
    shmem_##name##_wait_until(word, SHMEM_CMP_EQ, (type)(before + 1));                \
    CHECK(shmem_##name##_test(word, SHMEM_CMP_LE, (type)(before + 1)));               \
    CHECK(!shmem_##name##_test(word, SHMEM_CMP_NE, (type)(before + 1)));              \
    shmem_barrier_all();                                                              \
    shmem_free(word);                                                                 \
  }
#define LONG_TYPES(M) M(long, long) M(longlong, long long) M(ulong, unsigned long)
#define NAMED(M) M(int32, int32_t) M(int64, int64_t) M(uint32, uint32_t) M(uint64, uint64_t) M(size, size_t)
// Open MPI's write 8 bytes where an int is fetched.
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
#define TYPES(M) LONG_TYPES(M) M(int, int) M(uint, unsigned int) NAMED(M)
#else
#define TYPES(M) LONG_TYPES(M)
#endif
TYPES(CHECK_TYPE)
#define CALL(name, type) check_##name();

static void check_bits(void) {
  unsigned long* const word = shmem_malloc(sizeof *word);
  *word = 0;
  shmem_barrier_all();
  shmem_ulong_atomic_or(word, 1UL << me, 0);
  shmem_barrier_all();
  CHECK(shmem_ulong_atomic_fetch(word, 0) == (1UL << all) - 1);
  shmem_barrier_all();
  shmem_ulong_atomic_xor(word, 1UL << me, 0);
  shmem_barrier_all();
  CHECK(shmem_ulong_atomic_fetch(word, 0) == 0);
  shmem_barrier_all();
  double* const real = shmem_malloc(sizeof *real);
  *real = 0;
  shmem_barrier_all();
  shmem_double_atomic_set(real, 2.5, next);
  CHECK(shmem_double_atomic_swap(real, -1.5, next) == 2.5);
  CHECK(shmem_double_atomic_fetch(real, next) == -1.5);
  shmem_barrier_all();
  shmem_free(real);
  shmem_free(word);
}

/* Each adds to the same place, which no other reads and writes meanwhile. */
static void check_locks(void) {
  static long lock, sum;
  for (int i = 0; i < 50; ++i) {
    shmem_set_lock(&lock);
    shmem_long_p(&sum, shmem_long_g(&sum, 0) + 1, 0);
    shmem_quiet();
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  CHECK(shmem_long_g(&sum, 0) == 50L * all);
  shmem_barrier_all();
  if (me == 0) CHECK(shmem_test_lock(&lock) == 0);
  shmem_barrier_all();
  if (me != 0) CHECK(shmem_test_lock(&lock) != 0);
  shmem_barrier_all();
  if (me == 0) shmem_clear_lock(&lock);
  shmem_barrier_all();
}

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
static void check_signals(void) {
  enum { length = 100 };
  long* const values = shmem_calloc(length, sizeof *values);
  uint64_t* const signal = shmem_calloc(2, sizeof *signal);
  long mine[length];
  for (int round = 1; round <= 20; ++round) {
    for (int i = 0; i < length; ++i) mine[i] = round * 1000 + me;
    shmem_long_put_signal(values, mine, length, signal, (uint64_t)round, SHMEM_SIGNAL_SET, next);
    CHECK(shmem_signal_wait_until(signal, SHMEM_CMP_GE, (uint64_t)round) == (uint64_t)round);
    for (int i = 0; i < length; ++i) CHECK(values[i] == round * 1000 + before);
    shmem_barrier_all();
  }
  shmem_putmem_signal(values, mine, sizeof mine, signal + 1, 3, SHMEM_SIGNAL_ADD, next);
  shmem_put64_signal_nbi(values, mine, length, signal + 1, 4, SHMEM_SIGNAL_ADD, next);
  shmem_signal_wait_until(signal + 1, SHMEM_CMP_EQ, 7);
  CHECK(shmem_signal_fetch(signal + 1) == 7);
  shmem_barrier_all();
  shmem_free(signal);
  shmem_free(values);
}

/* Everybody sets its word at everybody's, and each waits for them in every way. */
static void check_many(void) {
  int* const words = shmem_calloc((size_t)all, sizeof *words);
  int* const seen = calloc((size_t)all, sizeof *seen);
  size_t* const which = malloc((size_t)all * sizeof *which);
  size_t const count = (size_t)all;
  CHECK(shmem_int_test_any(words, count, NULL, SHMEM_CMP_NE, 0) == SIZE_MAX);
  shmem_barrier_all();
  for (int pe = 0; pe < all; ++pe) shmem_int_atomic_set(words + me, me + 1, pe);
  for (int i = 0; i < all; ++i) {
    size_t const at = shmem_int_wait_until_any(words, count, seen, SHMEM_CMP_NE, 0);
    CHECK(at < count && !seen[at] && words[at] == (int)at + 1);
    seen[at] = 1;
  }
  CHECK(shmem_int_wait_until_any(words, count, seen, SHMEM_CMP_NE, 0) == SIZE_MAX);
  shmem_int_wait_until_all(words, count, NULL, SHMEM_CMP_GT, 0);
  CHECK(shmem_int_test_all(words, count, NULL, SHMEM_CMP_GE, 1));
  CHECK(!shmem_int_test_all(words, count, NULL, SHMEM_CMP_LT, 1));
  CHECK(shmem_int_wait_until_some(words, count, which, NULL, SHMEM_CMP_LE, all) == count &&
        which[all - 1] == count - 1);
  CHECK(shmem_int_test_some(words, count, which, NULL, SHMEM_CMP_EQ, 1) == 1 && which[0] == 0);
  shmem_barrier_all();
  free(which);
  free(seen);
  shmem_free(words);
}

static void check_narrow_bits(void) {
  static uint32_t words[2];
  words[1] = 5;
  shmem_barrier_all();
  CHECK(shmem_uint32_atomic_fetch_or(words, 0xf0, next) == 0 &&
        shmem_uint32_atomic_fetch_and(words, 0x3c, next) == 0xf0);
  CHECK(shmem_uint32_atomic_fetch_xor(words, 1, next) == 0x30 && shmem_uint32_atomic_fetch(words, next) == 0x31);
  shmem_barrier_all();
  CHECK(words[0] == 0x31 && words[1] == 5);
  static unsigned long word = 0xff;
  CHECK(shmem_ulong_atomic_fetch_and(&word, 0x0f, next) == 0xff && shmem_ulong_atomic_fetch(&word, next) == 0x0f);
  shmem_barrier_all();
}

static void check_generic(void) {
  check_narrow_bits();
  long* const word = shmem_calloc(4, sizeof *word);
  float* const real = shmem_calloc(4, sizeof *real);
  long const value = me;
  shmem_put(word, &value, 1, next);
  shmem_p(real, 1.5f, next);
  CHECK(shmem_g(real, next) == 1.5f);
  shmem_atomic_add(word + 1, 3, next);
  CHECK(shmem_atomic_fetch(word + 1, next) == 3);
  CHECK(shmem_atomic_fetch_or((unsigned long*)word + 1, 4, next) == 3);
  shmem_atomic_set(real + 1, 2.5f, next);
  shmem_wait_until(word + 1, SHMEM_CMP_EQ, 7);
  shmem_barrier_all();
  CHECK(word[0] == before && real[1] == 2.5f);
  CHECK(shmem_max_reduce(SHMEM_TEAM_WORLD, word + 2, word, 1) == 0 && word[2] == all - 1);
  CHECK(shmem_broadcast(SHMEM_TEAM_WORLD, word + 3, word + 2, 1, 0) == 0 && word[3] == all - 1);
  CHECK(shmem_sync(SHMEM_TEAM_WORLD) == 0);
  shmem_free(real);
  shmem_free(word);
}
#else
static void check_signals(void) {}
static void check_many(void) {}
static void check_generic(void) {}
#endif

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  all = shmem_n_pes();
  next = (me + 1) % all;
  before = (me + all - 1) % all;
  TYPES(CALL)
  check_bits();
  check_locks();
  check_signals();
  check_many();
  check_generic();
  passed();
  return 0;
}
