// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The work of the integer sorting rows: each location starts with its share of random 32-bit keys. The verifier wants
/// every part in order, the parts in order among themselves, and the same multiset as before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/measure.hpp"

namespace sheaf_bench {

/// Overwrites `keys` with what `source` starts repetition `rep` with.
inline void fill_keys(std::span<std::int32_t> keys, int source, int rep) {
  splitmix64 next(static_cast<std::uint64_t>(source) * 1009 + static_cast<std::uint64_t>(rep) + 1);
  for (std::int32_t& k : keys) k = static_cast<std::int32_t>(next() >> 32);
}

/// How many of `total` keys `source` of `locations` starts with.
inline std::size_t share_of(std::size_t total, std::size_t source, std::size_t locations) {
  return total * (source + 1) / locations - total * source / locations;
}

/// What one location says of its keys; fingerprints of parts add up to that of the whole.
struct key_summary {
  std::uint64_t count = 0, fingerprint = 0;
  std::int32_t first = INT32_MAX, last = INT32_MIN;
  bool ordered = true;
};

inline key_summary summary_of(std::span<std::int32_t const> keys) {
  key_summary s;
  s.count = keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    s.fingerprint += splitmix64(static_cast<std::uint32_t>(keys[i]))();
    s.ordered = s.ordered && (i == 0 || keys[i - 1] <= keys[i]);
  }
  if (!keys.empty()) s.first = keys.front(), s.last = keys.back();
  return s;
}

/// True when parts `after`, in the order of their locations, are the keys of `before`, sorted.
inline bool sorted_the_same(std::vector<key_summary> const& before, std::vector<key_summary> const& after) {
  std::uint64_t count = 0, fingerprint = 0;
  std::int32_t reached = INT32_MIN;
  bool ordered = true;
  for (key_summary const& s : before) count += s.count, fingerprint += s.fingerprint;
  for (key_summary const& s : after) {
    count -= s.count, fingerprint -= s.fingerprint;
    if (s.count == 0) continue;
    ordered = ordered && s.ordered && reached <= s.first;
    reached = s.last;
  }
  return ordered && count == 0 && fingerprint == 0;
}

inline double seconds_since(std::int64_t start) { return static_cast<double>(now_ns() - start) / 1e9; }

}  // namespace sheaf_bench
