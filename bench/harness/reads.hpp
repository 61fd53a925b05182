// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The work of the random-read rows: read i of a location goes to the word that update i of its stream would change,
/// and its value belongs in out[i]. Words hold a mix of their place, so that every single answer can be checked.
#pragma once

#include "harness/updates.hpp"

namespace sheaf_bench {

/// What word `index` of `owner`'s block holds.
inline std::uint64_t content_of(std::uint64_t owner, std::uint64_t index) {
  return splitmix64((owner << 48) + index)();
}

inline void fill_block(words& block, int owner) {
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = content_of(static_cast<std::uint64_t>(owner), i);
}

/// The verifier: `out[i]` is the word that read i of `source` in repetition `rep` named, for every i.
inline bool answers_are_right(words& out, std::uint64_t mask, int source, int locations, int rep) {
  splitmix64 next = update_stream(source, rep);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint64_t const read = next();
    if (out[i] != content_of(owner_of(read, static_cast<std::uint64_t>(locations)), read & mask)) return false;
  }
  return true;
}

}  // namespace sheaf_bench
