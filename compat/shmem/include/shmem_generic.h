/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * The names without a type, for C: _Generic chooses the function by what a pointer points to. */
#ifndef SHEAF_SHMEM_GENERIC_H
#define SHEAF_SHMEM_GENERIC_H

/* clang-format off */
#define SHMEM_OF_WORD(at, op) _Generic(*(at) \
  , int: shmem_int_##op \
  , long: shmem_long_##op \
  , long long: shmem_longlong_##op \
  , unsigned int: shmem_uint_##op \
  , unsigned long: shmem_ulong_##op \
  , unsigned long long: shmem_ulonglong_##op)

#define SHMEM_OF_BITS(at, op) _Generic(*(at) \
  , unsigned int: shmem_uint_##op \
  , unsigned long: shmem_ulong_##op \
  , unsigned long long: shmem_ulonglong_##op \
  , int: shmem_int32_##op \
  , long: shmem_int64_##op)

#define SHMEM_OF_EXTENDED(at, op) _Generic(*(at) \
  , int: shmem_int_##op \
  , long: shmem_long_##op \
  , long long: shmem_longlong_##op \
  , unsigned int: shmem_uint_##op \
  , unsigned long: shmem_ulong_##op \
  , unsigned long long: shmem_ulonglong_##op \
  , float: shmem_float_##op \
  , double: shmem_double_##op)

#define SHMEM_OF_ANY(at, op) _Generic(*(at) \
  , int: shmem_int_##op \
  , long: shmem_long_##op \
  , long long: shmem_longlong_##op \
  , unsigned int: shmem_uint_##op \
  , unsigned long: shmem_ulong_##op \
  , unsigned long long: shmem_ulonglong_##op \
  , float: shmem_float_##op \
  , double: shmem_double_##op \
  , unsigned char: shmem_uchar_##op \
  , unsigned short: shmem_ushort_##op \
  , long double: shmem_longdouble_##op \
  , char: shmem_char_##op \
  , signed char: shmem_schar_##op \
  , short: shmem_short_##op)
/* clang-format on */

#define shmem_put(dest, ...) SHMEM_OF_ANY(dest, put)(dest, __VA_ARGS__)
#define shmem_get(dest, ...) SHMEM_OF_ANY(dest, get)(dest, __VA_ARGS__)
#define shmem_put_nbi(dest, ...) SHMEM_OF_ANY(dest, put_nbi)(dest, __VA_ARGS__)
#define shmem_get_nbi(dest, ...) SHMEM_OF_ANY(dest, get_nbi)(dest, __VA_ARGS__)
#define shmem_iput(dest, ...) SHMEM_OF_ANY(dest, iput)(dest, __VA_ARGS__)
#define shmem_iget(dest, ...) SHMEM_OF_ANY(dest, iget)(dest, __VA_ARGS__)
#define shmem_p(dest, ...) SHMEM_OF_ANY(dest, p)(dest, __VA_ARGS__)
#define shmem_put_signal(dest, ...) SHMEM_OF_ANY(dest, put_signal)(dest, __VA_ARGS__)
#define shmem_put_signal_nbi(dest, ...) SHMEM_OF_ANY(dest, put_signal_nbi)(dest, __VA_ARGS__)
#define shmem_g(source, pe) SHMEM_OF_ANY(source, g)(source, pe)

#define shmem_atomic_fetch(source, pe) SHMEM_OF_EXTENDED(source, atomic_fetch)(source, pe)
#define shmem_atomic_set(dest, ...) SHMEM_OF_EXTENDED(dest, atomic_set)(dest, __VA_ARGS__)
#define shmem_atomic_swap(dest, ...) SHMEM_OF_EXTENDED(dest, atomic_swap)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(fetch, ...) SHMEM_OF_EXTENDED(fetch, atomic_fetch_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_swap_nbi(fetch, ...) SHMEM_OF_EXTENDED(fetch, atomic_swap_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_compare_swap(dest, ...) SHMEM_OF_WORD(dest, atomic_compare_swap)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_inc(dest, ...) SHMEM_OF_WORD(dest, atomic_fetch_inc)(dest, __VA_ARGS__)
#define shmem_atomic_inc(dest, ...) SHMEM_OF_WORD(dest, atomic_inc)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_add(dest, ...) SHMEM_OF_WORD(dest, atomic_fetch_add)(dest, __VA_ARGS__)
#define shmem_atomic_add(dest, ...) SHMEM_OF_WORD(dest, atomic_add)(dest, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(fetch, ...) SHMEM_OF_WORD(fetch, atomic_compare_swap_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(fetch, ...) SHMEM_OF_WORD(fetch, atomic_fetch_inc_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(fetch, ...) SHMEM_OF_WORD(fetch, atomic_fetch_add_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_fetch_and(dest, ...) SHMEM_OF_BITS(dest, atomic_fetch_and)(dest, __VA_ARGS__)
#define shmem_atomic_and(dest, ...) SHMEM_OF_BITS(dest, atomic_and)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_or(dest, ...) SHMEM_OF_BITS(dest, atomic_fetch_or)(dest, __VA_ARGS__)
#define shmem_atomic_or(dest, ...) SHMEM_OF_BITS(dest, atomic_or)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_xor(dest, ...) SHMEM_OF_BITS(dest, atomic_fetch_xor)(dest, __VA_ARGS__)
#define shmem_atomic_xor(dest, ...) SHMEM_OF_BITS(dest, atomic_xor)(dest, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(fetch, ...) SHMEM_OF_BITS(fetch, atomic_fetch_and_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(fetch, ...) SHMEM_OF_BITS(fetch, atomic_fetch_or_nbi)(fetch, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(fetch, ...) SHMEM_OF_BITS(fetch, atomic_fetch_xor_nbi)(fetch, __VA_ARGS__)

#define shmem_wait_until(ivar, ...) SHMEM_OF_WORD(ivar, wait_until)(ivar, __VA_ARGS__)
#define shmem_wait_until_all(ivar, ...) SHMEM_OF_WORD(ivar, wait_until_all)(ivar, __VA_ARGS__)
#define shmem_wait_until_any(ivar, ...) SHMEM_OF_WORD(ivar, wait_until_any)(ivar, __VA_ARGS__)
#define shmem_wait_until_some(ivar, ...) SHMEM_OF_WORD(ivar, wait_until_some)(ivar, __VA_ARGS__)
#define shmem_test(ivar, ...) SHMEM_OF_WORD(ivar, test)(ivar, __VA_ARGS__)
#define shmem_test_all(ivar, ...) SHMEM_OF_WORD(ivar, test_all)(ivar, __VA_ARGS__)
#define shmem_test_any(ivar, ...) SHMEM_OF_WORD(ivar, test_any)(ivar, __VA_ARGS__)
#define shmem_test_some(ivar, ...) SHMEM_OF_WORD(ivar, test_some)(ivar, __VA_ARGS__)

#define shmem_broadcast(team, dest, ...) SHMEM_OF_ANY(dest, broadcast)(team, dest, __VA_ARGS__)
#define shmem_collect(team, dest, ...) SHMEM_OF_ANY(dest, collect)(team, dest, __VA_ARGS__)
#define shmem_fcollect(team, dest, ...) SHMEM_OF_ANY(dest, fcollect)(team, dest, __VA_ARGS__)
#define shmem_alltoall(team, dest, ...) SHMEM_OF_ANY(dest, alltoall)(team, dest, __VA_ARGS__)
#define shmem_alltoalls(team, dest, ...) SHMEM_OF_ANY(dest, alltoalls)(team, dest, __VA_ARGS__)
#define shmem_min_reduce(team, dest, ...) SHMEM_OF_ANY(dest, min_reduce)(team, dest, __VA_ARGS__)
#define shmem_max_reduce(team, dest, ...) SHMEM_OF_ANY(dest, max_reduce)(team, dest, __VA_ARGS__)
#define shmem_sum_reduce(team, dest, ...) SHMEM_OF_ANY(dest, sum_reduce)(team, dest, __VA_ARGS__)
#define shmem_prod_reduce(team, dest, ...) SHMEM_OF_ANY(dest, prod_reduce)(team, dest, __VA_ARGS__)
#define shmem_and_reduce(team, dest, ...) SHMEM_OF_BITS(dest, and_reduce)(team, dest, __VA_ARGS__)
#define shmem_or_reduce(team, dest, ...) SHMEM_OF_BITS(dest, or_reduce)(team, dest, __VA_ARGS__)
#define shmem_xor_reduce(team, dest, ...) SHMEM_OF_BITS(dest, xor_reduce)(team, dest, __VA_ARGS__)
/* shmem_sync(team) beside shmem_sync(start, stride, size, pSync). */
#define SHMEM_FIFTH(a, b, c, d, name, ...) name
#define shmem_sync(...) SHMEM_FIFTH(__VA_ARGS__, shmem_sync, shmem_sync, shmem_sync, shmem_team_sync, )(__VA_ARGS__)

#endif
