// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The work of the random-update and random-read rows, shared by Sheaf's programs and their peers: a table of 8-byte
/// words cut into equal blocks, one per location, and a stream of random updates from each location to all, itself
/// included.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/huge_array.hpp"
#include "harness/measure.hpp"

namespace sheaf_bench {

/// One update is 8 bytes: its high half names the owner, its low bits the word there, and the whole is what is xored
/// in.
inline std::uint64_t owner_of(std::uint64_t update, std::uint64_t locations) {
  return ((update >> 32) * locations) >> 32;
}

/// The updates that `source` issues in repetition `rep`.
inline splitmix64 update_stream(int source, int rep) {
  return splitmix64(static_cast<std::uint64_t>(source) * 0x632be59bd9b4e019u + static_cast<std::uint64_t>(rep) + 1);
}

/// One location's block of the table; its size is a power of two.
class words : public huge_array<std::uint64_t> {
 public:
  using huge_array::huge_array;

  std::uint64_t mask() const { return size() - 1; }

  void apply(std::uint64_t update) { (*this)[update & mask()] ^= update; }
};

/// Words of one location's block when 2^bits words are spread over `locations`; both are powers of two.
inline std::size_t block_words(std::int64_t bits, std::uint64_t locations) {
  check((locations & (locations - 1)) == 0, "the number of locations must be a power of two");
  return (std::size_t{1} << bits) / locations;
}

/// The verifier: generates all streams again, serially, and applies what `me` owns. Since xor undoes itself, a block
/// that received every update exactly once is then all zeros.
inline bool undo_leaves_zeros(words& block, int me, int locations, int reps, std::int64_t updates) {
  auto const count = static_cast<std::uint64_t>(locations);
  for (int rep = 0; rep < reps; ++rep) {
    for (int source = 0; source < locations; ++source) {
      splitmix64 next = update_stream(source, rep);
      for (std::int64_t i = 0; i < updates; ++i) {
        std::uint64_t const update = next();
        if (owner_of(update, count) == static_cast<std::uint64_t>(me)) block.apply(update);
      }
    }
  }
  return std::all_of(block.begin(), block.end(), [](std::uint64_t w) { return w == 0; });
}

/// Millions per second.
inline double rate(std::int64_t operations, std::int64_t ns) {
  return static_cast<double>(operations) * 1e3 / static_cast<double>(ns);
}

}  // namespace sheaf_bench
