// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

/// Collective. The betweenness of own vertices without weights (Brandes 2001): for each vertex the sum, over the
/// sources s and all t, of the part of the shortest paths from s to t that lead through it, without their ends. With
/// all vertices as sources, an undirected pair counts twice; with a sample of k, multiply by vertices/k to estimate.
/// Parallel edges are paths of their own. Two epochs for each level of each source; a message of 16 bytes for each
/// ghost that is reached, and one back. Equal for any number of members up to rounding. All members give the same
/// sources (ids); throws usage_error on all members where one is no vertex, and where of vertices at one distance some
/// have 2^1800 times as many shortest paths as others.
std::vector<double> betweenness(graph_shape const& g, std::span<std::uint64_t const> sources);

/// Collective. From all vertices.
std::vector<double> betweenness(graph_shape const& g);

/// Collective. What is wrong with the values of own vertices from these sources; an empty text where nothing is.
/// Searches from each source, and compares sums that have a random weight for each vertex: no property of single values
/// is known that is found without following all paths. A wrong value is found if it changes the sum of all by more than
/// about 10^-9 of it. A search by breadth_first for each source, and for each of its levels 16 bytes for each ghost.
std::string wrong_in(graph_shape const& g, std::span<std::uint64_t const> sources, std::vector<double> const& all);

/// Collective. Ids of `count` vertices where at least `degree` edges begin, or all if there are fewer, ascending: a
/// random sample that is the same for any number of members. One message of at most `count` ids of each member to each.
std::vector<std::uint64_t> sampled_vertices(graph_shape const& g, std::uint64_t count, std::uint64_t seed,
                                            std::uint64_t degree = 0);

}  // namespace sheaf
