// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

/// Levels, to each of which edges lead from levels below only.
struct topological_levels {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::vector<std::uint32_t> level;     ///< of each own vertex: edges of the longest path to it; none: it is left
  std::uint32_t levels = 0;             ///< they are 0…levels−1
  std::uint64_t left = 0;               ///< vertices of the whole graph on cycles, or behind one: so many have no level
  std::optional<std::uint64_t> cyclic;  ///< of these the one with the smallest id

  [[nodiscard]] bool is_complete() const { return left == 0; }
};

/// Collective. An order of a directed graph's vertices, by levels (Kahn 1962). A loop is a cycle, and so is an edge of
/// an undirected graph. Needs no edges that end at a vertex. A message of 4 bytes per ghost for each pair of members,
/// and in one epoch one of 8 bytes for each ghost, when the last edge that leads there from here has been passed.
topological_levels topological_order(graph_shape const& g);

/// Collective. What is wrong with levels, found by looking at each edge; an empty text where nothing is.
std::string wrong_in(graph_shape const& g, topological_levels const& all);

}  // namespace sheaf
