// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

/// How strongly connected components are found. Both find the same ones.
enum class scc_form : std::uint8_t {
  colouring,  ///< a giant component at first, then by colours what no member finds alone (Slota and others)
  pivots      ///< each member marks from a vertex of its own (ARMI §5.3)
};

struct strongly_connected {
  std::vector<std::uint64_t> label;  ///< of each own vertex: the smallest id in its component
  std::uint64_t count = 0;           ///< components of the whole graph
  std::uint64_t largest = 0;         ///< vertices of the largest one
  std::uint64_t iterations = 0;      ///< rounds of trimming and marking that it took
  std::uint64_t messages = 0;        ///< to ghosts, of all members
};

/// Collective. Vertices u and v are in one component if paths lead from u to v and back. Needs the edges that end at a
/// vertex (graph_shape::in throws usage_error). A round is a message of 4 bytes per ghost for each pair of members, two
/// reductions, an epoch that trims, and one (`pivots`) or two that mark; in these a message of 4 or 12 bytes for each
/// ghost whose last edge from here has gone, or whose mark from here grows.
///
/// `pivots`: Each member has one pivot in a round. Vertices learn of the largest pivot that reaches them and the
/// largest that they reach; where these are one, they are its component. Edges between others that differ in one of
/// them are in no component. So a round finds one component, and one for each member if they do not meet.
///
/// `colouring`: Where degrees differ much, a search forward and backward from the vertex with the largest product of
/// degrees comes first, with a bit per ghost for each of its sweeps. Then each member finds the components of its own
/// edges, which count as one vertex from now on; what lies on no path from one member's edge to another is done. In a
/// round, all vertices are pivots of marks forward; where such a mark is a vertex's own, its component is found. When
/// at most `gathered` edges are left, member 0 gets them, and finds the rest; unset: the edges of the graph divided
/// by members, but 2^22 (about 32 MB) at least and 2^28 at most.
strongly_connected strong_components(graph_shape const& g, scc_form how = scc_form::colouring,
                                     std::optional<std::uint64_t> gathered = {});

/// Collective. What is wrong with components, found by searches forward and backward inside each from the vertex that
/// gives its label, and by removing components one by one, each when no edge leads to it from one that is left; an
/// empty text where nothing is. Needs the edges that end at a vertex. Two epochs, with 16 bytes for each ghost
/// that is reached, and two messages for each edge between components.
std::string wrong_in(graph_shape const& g, strongly_connected const& all);

}  // namespace sheaf
