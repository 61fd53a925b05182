/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * The types of OpenSHMEM's typed functions, as lists: M(NAME, TYPE), for shmem_NAME_put and its like. */
#ifndef SHEAF_SHMEM_TYPES_H
#define SHEAF_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <complex>
typedef std::complex<double> shmem_complexd;
typedef std::complex<float> shmem_complexf;
#else
typedef double _Complex shmem_complexd;
typedef float _Complex shmem_complexf;
#endif

#define SHMEM_WIDE_UNSIGNED(M) \
  M(uint, unsigned int)        \
  M(ulong, unsigned long)      \
  M(ulonglong, unsigned long long)
#define SHMEM_WIDE_SIGNED(M) \
  M(int, int)                \
  M(long, long)              \
  M(longlong, long long)
#define SHMEM_REALS(M) \
  M(float, float)      \
  M(double, double)
#define SHMEM_NARROW_UNSIGNED(M) \
  M(uchar, unsigned char)        \
  M(ushort, unsigned short)

/* No two of them are the same type: what _Generic may choose from. */
#define SHMEM_DISTINCT_TYPES(M) \
  SHMEM_WIDE_UNSIGNED(M)        \
  SHMEM_WIDE_SIGNED(M)          \
  SHMEM_REALS(M)                \
  SHMEM_NARROW_UNSIGNED(M)      \
  M(longdouble, long double)    \
  M(char, char)                 \
  M(schar, signed char)         \
  M(short, short)

#define SHMEM_SIZED_BITS(M) \
  M(int32, int32_t)         \
  M(int64, int64_t)         \
  M(uint32, uint32_t)       \
  M(uint64, uint64_t)
#define SHMEM_SIZED_WORDS(M) \
  SHMEM_SIZED_BITS(M)        \
  M(size, size_t)            \
  M(ptrdiff, ptrdiff_t)
#define SHMEM_SMALL_SIZED(M) \
  M(int8, int8_t)            \
  M(int16, int16_t)          \
  M(uint8, uint8_t)          \
  M(uint16, uint16_t)

/* Transfers. */
#define SHMEM_RMA_TYPES(M) SHMEM_DISTINCT_TYPES(M) SHMEM_SIZED_WORDS(M) SHMEM_SMALL_SIZED(M)
/* Words of 4 and 8 bytes: additions and waits; bits; and what is only set, fetched and swapped. */
#define SHMEM_AMO_TYPES(M) SHMEM_WIDE_UNSIGNED(M) SHMEM_WIDE_SIGNED(M) SHMEM_SIZED_WORDS(M)
#define SHMEM_BIT_TYPES(M) SHMEM_WIDE_UNSIGNED(M) SHMEM_SIZED_BITS(M)
#define SHMEM_EXTENDED_TYPES(M) SHMEM_AMO_TYPES(M) SHMEM_REALS(M)
/* Reductions over teams: and, or, xor; min, max; sum, prod. */
#define SHMEM_TEAM_BITS(M) \
  SHMEM_NARROW_UNSIGNED(M) SHMEM_WIDE_UNSIGNED(M) SHMEM_SIZED_BITS(M) SHMEM_SMALL_SIZED(M) M(size, size_t)
#define SHMEM_TEAM_ORDER(M) SHMEM_RMA_TYPES(M)
#define SHMEM_TEAM_SUMS(M) SHMEM_RMA_TYPES(M) M(complexd, shmem_complexd) M(complexf, shmem_complexf)
/* And over active sets. */
#define SHMEM_SET_BITS(M) M(short, short) SHMEM_WIDE_SIGNED(M)
#define SHMEM_SET_ORDER(M) SHMEM_SET_BITS(M) SHMEM_REALS(M) M(longdouble, long double)
#define SHMEM_SET_SUMS(M) SHMEM_SET_ORDER(M) M(complexd, shmem_complexd) M(complexf, shmem_complexf)

/* Transfers by size: M(BITS, bytes of an element), for shmem_putBITS; BITS is mem where elements are bytes. */
#define SHMEM_SIZES(M) M(8, 1) M(16, 2) M(32, 4) M(64, 8) M(128, 16)

#endif
