// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sheaf {

/// A vertex as its location knows it: 0…local−1 are those that it owns, then come its ghosts, which are those of other
/// members that are neighbours of its own (graph_shape).
using vertex = std::uint32_t;

/// Compressed sparse rows: the neighbours of a location's own vertices, ascending in each row. Edge number k is the one
/// to targets[k].
struct adjacency {
  std::vector<std::uint64_t> first{0};  ///< one more than rows
  std::vector<vertex> targets;

  [[nodiscard]] std::uint64_t degree(vertex v) const { return first[v + 1] - first[v]; }
  [[nodiscard]] std::span<vertex const> row(vertex v) const { return {targets.data() + first[v], degree(v)}; }
  /// How many edges lead from v to a vertex.
  [[nodiscard]] std::uint64_t count(vertex v, vertex to) const {
    auto const all = row(v);
    auto const [from, end] = std::equal_range(all.begin(), all.end(), to);
    return static_cast<std::uint64_t>(end - from);
  }
};

}  // namespace sheaf
