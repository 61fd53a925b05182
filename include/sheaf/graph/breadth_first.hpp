// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

/// How a breadth-first search goes on. All find the same levels.
enum class bfs_form : std::uint8_t {
  direction_optimizing,  ///< level by level; where most edges lead back, unreached vertices look for reached ones
                         ///< (Beamer)
  top_down,              ///< level by level; reached vertices send to their neighbours
  messages               ///< without levels: vertices go on as soon as they are reached (AM++ §4.3)
};

/// Of the own vertices of a location.
struct bfs_tree {
  static constexpr std::uint32_t unreached = ~std::uint32_t{0};
  static constexpr std::uint64_t no_parent = ~std::uint64_t{0};

  std::vector<std::uint32_t> level;   ///< edges from the root, or unreached
  std::vector<std::uint64_t> parent;  ///< its number in the graph; of the root: itself; of an unreached one: no_parent
  std::uint64_t reached = 0;          ///< vertices of the whole graph
  std::uint64_t edges = 0;            ///< edges of the whole graph that begin at these, as Graph500 counts them
  std::uint32_t depth = 0;            ///< the largest level
};

/// Collective. Follows edges from the vertex `root` (an id). Any shortest path's parent may be found. A graph without
/// graph_shape::has_in is searched top-down. An epoch for each level; a message of 8 bytes for each ghost that is
/// reached, at most, or a bit for each ghost and level; `messages`: one epoch. Throws usage_error on all members if
/// there is no such vertex, or if they give different ones.
bfs_tree breadth_first(graph_shape const& g, std::uint64_t root, bfs_form how = bfs_form::direction_optimizing);

/// Collective. What is wrong with a tree, found by looking at every edge and every tree edge, without the search;
/// an empty text where nothing is: levels of neighbours differ by at most one (directed: of a target, by at most one
/// more), each parent is one level above, and is a neighbour, and the root alone is its own parent.
std::string wrong_in(graph_shape const& g, std::uint64_t root, bfs_tree const& tree);

}  // namespace sheaf
