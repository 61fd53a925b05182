// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

struct vertex_set {
  std::vector<std::uint8_t> is_in;  ///< of each own vertex: 1 or 0
  std::uint64_t size = 0;           ///< vertices of the whole graph that are in it
};

/// Collective. A maximal independent set: no two of its vertices are neighbours, and all others have one as a
/// neighbour. Loops do not count, nor directions; a directed graph needs the edges that end at a vertex
/// (graph_shape::in throws usage_error). It is the set that vertices make which come in random order and join if no
/// neighbour is there (Luby 1986; Blelloch, Fineman, Shun 2012): a function of the seed and of ids, whatever the number
/// of members. One epoch; a message of 8 bytes for each ghost.
vertex_set independent_set(graph_shape const& g, std::uint64_t seed = 1);

struct coloured_vertices {
  std::vector<std::uint32_t> colour;  ///< of each own vertex
  std::uint32_t colours = 0;          ///< of the whole graph: they are 0…colours−1
};

/// Collective. Colours such that neighbours differ: vertices come in random order and take the smallest colour that no
/// neighbour has (Jones and Plassmann 1993). As independent_set in all else.
coloured_vertices colouring(graph_shape const& g, std::uint64_t seed = 1);

/// Collective. What is wrong with a set or with colours, found by looking at each edge; an empty text where nothing is.
/// A directed graph needs the edges that end at a vertex.
std::string wrong_in(graph_shape const& g, vertex_set const& all);
std::string wrong_in(graph_shape const& g, coloured_vertices const& all);

}  // namespace sheaf
