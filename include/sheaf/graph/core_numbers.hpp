// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

/// Of the own vertices of a location.
struct cores {
  std::vector<std::uint64_t> number;  ///< the largest k such that the vertex is in a subgraph with degrees of k or more
  std::uint64_t largest = 0;          ///< number in the whole graph
};

/// Collective. Core numbers of an undirected graph (Seidman 1983), by peeling: vertices with fewest edges are removed,
/// which takes edges from others (Matula, Beck 1983; in rounds: Montresor, De Pellegrini, Miorandi 2013). Loops do not
/// count, parallel edges do. An epoch for each core number that occurs; messages of 12 bytes say how many edges a ghost
/// loses, fewer than edges that cross members. Throws usage_error on all members for a directed graph.
cores core_numbers(graph_shape const& g);

/// Collective. What is wrong with core numbers; an empty text where nothing is. That each vertex has as many neighbours
/// as its number says, with numbers as large, proves that none is too large; that a removal in the order of numbers
/// leaves no vertex whose number is larger, that none is too small.
std::string wrong_in(graph_shape const& g, cores const& all);

}  // namespace sheaf
