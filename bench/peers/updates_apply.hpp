// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The receiving loop of the update peers.
#pragma once

#include "harness/updates.hpp"

namespace sheaf_bench {

/// Applies `count` updates in order, asking for each word 64 iterations before it is needed, the best distance of 16,
/// 32, 64 and 128.
inline void apply_all(words& block, std::uint64_t const* items, std::size_t count) {
  constexpr std::size_t ahead = 64;
  std::uint64_t* const table = block.data();
  std::uint64_t const mask = block.mask();
  std::size_t i = 0;
  for (; i + ahead < count; ++i) {
    __builtin_prefetch(table + (items[i + ahead] & mask), 1);
    table[items[i] & mask] ^= items[i];
  }
  for (; i < count; ++i) table[items[i] & mask] ^= items[i];
}

}  // namespace sheaf_bench
