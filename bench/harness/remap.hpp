// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The work of the rows remap.* and view.gather/*, the same for ours and the peer. remap: N x N doubles go from blocks
/// of columns, (*, block), to blocks of rows, (block, *). gather: to(i) = from(at(i)), all three in blocks, `at`
/// random.
#pragma once

#include <span>

#include "harness/measure.hpp"

namespace sheaf_bench {

/// A member's block of indices.
struct index_block {
  std::size_t first, count;

  index_block(std::size_t extent, std::size_t member, std::size_t members) {
    std::size_t const length = (extent + members - 1) / members;
    first = std::min(extent, member * length);
    count = std::min(extent - first, length);
  }
};

/// The matrix's element, which is another one in each round.
inline double element_of(std::size_t row, std::size_t column, std::size_t extent, int round) {
  return static_cast<double>(row * extent + column) + 0.25 * round;
}

/// All columns of some rows, or all rows of some columns.
inline void fill_matrix(std::span<double> own, index_block rows, index_block columns, std::size_t extent, int round) {
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i] = element_of(rows.first + i / columns.count, columns.first + i % columns.count, extent, round);
  }
}
inline bool is_matrix(std::span<double const> own, index_block rows, index_block columns, std::size_t extent,
                      int round) {
  bool good = own.size() == rows.count * columns.count;
  for (std::size_t i = 0; good && i < own.size(); ++i) {
    good = own[i] == element_of(rows.first + i / columns.count, columns.first + i % columns.count, extent, round);
  }
  return good;
}

/// How many remaps, or gathers, of so many elements make a block of some milliseconds.
inline int repeats_of(std::size_t elements) {
  return static_cast<int>(std::clamp<std::size_t>((std::size_t{1} << 22U) / elements, 1, 200));
}

/// A random index for each of a member's elements.
inline std::vector<std::int64_t> random_indices(index_block own, std::size_t extent) {
  splitmix64 next(own.first + 1);
  std::vector<std::int64_t> at(own.count);
  for (std::int64_t& one : at) one = static_cast<std::int64_t>(next() % extent);
  return at;
}
inline double value_at(std::int64_t index) { return 3.0 * static_cast<double>(index) + 1; }

}  // namespace sheaf_bench
