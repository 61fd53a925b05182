// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What programs that sort by a network share, in C and in C++ (DMCS, section 7): which places are compared in which
/// step, random members for integers that move, and whether the result is right. Each place of an array of n integers
/// is compared with at most one other in a step; the lower place then has the lower value.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum netsort_network {
  netsort_transposition,  ///< odd-even transposition: direct neighbours, n steps
  netsort_batcher         ///< Batcher's odd-even merge sort: log n (log n + 1) / 2 steps
};

/// SplitMix64 of two numbers.
static inline uint64_t netsort_mix(uint64_t seed, uint64_t number) {
  uint64_t z = seed * 0xd1342543de82ef95u + (number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The integer that stands at `place` in the beginning; not negative.
static inline int32_t netsort_value(uint64_t seed, uint32_t place) { return (int32_t)(netsort_mix(seed, place) >> 33); }

/// The member, of `members`, to which the integer at `place` goes after `step`; before the first one, after step -1.
static inline uint32_t netsort_member(uint64_t seed, uint32_t place, int64_t step, uint32_t members) {
  uint64_t const random = netsort_mix(netsort_mix(seed ^ 0x5bd1e995u, place), (uint64_t)(step + 1)) >> 32;
  return (uint32_t)(random * members >> 32);
}

/// The places that member `rank` creates are those from netsort_first(n, rank) to that of the next; netsort_owner is
/// the member that creates a place.
static inline uint32_t netsort_first(uint32_t n, uint32_t rank, uint32_t members) {
  return (uint32_t)((uint64_t)n * rank / members);
}
static inline uint32_t netsort_owner(uint32_t n, uint32_t place, uint32_t members) {
  return (uint32_t)((((uint64_t)place + 1) * members - 1) / n);
}

/// log2 of n, rounded up.
static inline uint32_t netsort_levels(uint32_t n) {
  uint32_t levels = 0;
  while (((uint64_t)1 << levels) < n) ++levels;
  return levels;
}

static inline uint32_t netsort_steps(enum netsort_network network, uint32_t n) {
  uint32_t const levels = netsort_levels(n);
  return network == netsort_transposition ? (n < 2 ? 0 : n) : levels * (levels + 1) / 2;
}

/// Whether Batcher's network compares `low` with `low + distance` while it merges sorted blocks of `block` places.
static inline int netsort_merges(uint32_t n, uint32_t block, uint32_t distance, uint32_t low) {
  uint32_t const skipped = distance % block;
  if (low < skipped || (uint64_t)low + distance >= n) return 0;
  return (low - skipped) / distance % 2 == 0 && low / (2 * block) == (low + distance) / (2 * block);
}

static inline uint32_t netsort_batcher_partner(uint32_t n, uint32_t step, uint32_t place) {
  uint32_t level = 0;  // merges blocks of 2^level places, with level + 1 steps
  while (step > level) step -= ++level;
  uint32_t const block = (uint32_t)1 << level, distance = block >> step;
  if (netsort_merges(n, block, distance, place)) return place + distance;
  return place >= distance && netsort_merges(n, block, distance, place - distance) ? place - distance : place;
}

/// The place with which `place` is compared in a step; itself if with none.
static inline uint32_t netsort_partner(enum netsort_network network, uint32_t n, uint32_t step, uint32_t place) {
  if (network == netsort_batcher) return netsort_batcher_partner(n, step, place);
  if (place % 2 == step % 2) return place + 1 < n ? place + 1 : place;
  return place == 0 ? 0 : place - 1;
}

/// The comparisons of all steps. Each moves two integers.
static inline uint64_t netsort_comparisons(enum netsort_network network, uint32_t n) {
  uint64_t all = 0;
  for (uint32_t step = 0; step < netsort_steps(network, n); ++step) {
    for (uint32_t place = 0; place < n; ++place) all += netsort_partner(network, n, step, place) > place;
  }
  return all;
}

static inline int netsort_compare(void const* a, void const* b) {
  int32_t const x = *(int32_t const*)a, y = *(int32_t const*)b;
  return (x > y) - (x < y);
}

/// Whether `values`, by place, are the integers of `seed` in order.
static inline int netsort_is_right(int32_t const* values, uint32_t n, uint64_t seed) {
  int32_t* const expected = (int32_t*)malloc((n + (size_t)1) * sizeof *expected);
  if (expected == NULL) return 0;
  for (uint32_t place = 0; place < n; ++place) expected[place] = netsort_value(seed, place);
  qsort(expected, n, sizeof *expected, netsort_compare);
  int const right = n == 0 || memcmp(values, expected, n * sizeof *expected) == 0;
  free(expected);
  return right;
}
