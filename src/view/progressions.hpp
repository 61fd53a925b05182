// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "sheaf/base/partition.hpp"
#include "sheaf/view/slice.hpp"

/// One dimension of a section: which of its positions 0…count−1 one side has, and which two sides have in common. A
/// distribution is periodic, so there are few regular pieces, whatever the count.
namespace sheaf::detail {

/// Positions first + j·period + i with their places at + j·stride + i·step, for i < run and j < repeats. Where it
/// repeats, the first run ends within the first period, from position 0 on. Places are numbers in a dimension of a
/// part, or anything else that is as regular.
struct progression {
  std::int64_t first, run, period, repeats;
  std::int64_t at, step, stride;
};

/// All positions of the slice whose indices a coordinate owns; places are numbers in its part. The slice is checked.
/// Takes time for each of the coordinate's blocks within a period, or for each position there, if these are fewer.
std::vector<progression> owned_positions(block_cyclic_partition const& map, slice const& of, std::uint64_t coordinate);

/// Positions 0…count−1, with their numbers as places.
std::vector<progression> all_positions(std::uint64_t count);

/// Positions that two sides share, in levels of the same counts, and where they are on each side.
struct shared_run {
  std::int64_t run, repeats;
  struct side {
    std::int64_t at, step, stride;
  } a, b;
};

/// Each position that both have is in one shared run. Two periods meet in their least common multiple, or the side that
/// repeats less is taken apart: what gives fewer runs.
std::vector<shared_run> common(std::vector<progression> const& a, std::vector<progression> const& b);

}  // namespace sheaf::detail
