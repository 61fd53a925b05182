// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

struct page_rank_options {
  double damping = 0.85;    ///< the part of a rank that goes on along edges: 0 or more, less than 1
  double tolerance = 1e-4;  ///< it ends when an iteration changes ranks by less in sum, as in the GAP suite
  std::uint32_t most_iterations = 1000;
};

struct page_ranks {
  std::vector<double> rank;      ///< of own vertices; the sum over the whole graph is 1
  std::uint32_t iterations = 0;  ///< that were done
  double change = 0;             ///< of the last one, in sum
};

/// Collective. PageRank (Brin, Page 1998): the stationary distribution of a walk that follows an edge with the
/// probability `damping`, and else, or where a vertex has none, goes to any vertex. Parallel edges and loops count.
/// It begins with ranks in proportion to the edges that end at each vertex. Each vertex pulls along these, and what it
/// gets counts at once at the same member (Gauss-Seidel).
/// One message for each pair of members and iteration, with 4 bytes for each ghost, and a reduction. Computed in float,
/// and in double where the tolerance is below 1e-5. Ranks differ from the limit by at most 2·tolerance/(1 − damping) in
/// sum, and so do not depend on the number of members but for twice that. Throws usage_error on all members for a
/// directed graph without graph_options::in_edges, and for a damping or tolerance out of range.
page_ranks page_rank(graph_shape const& g, page_rank_options const& how = {});

/// Collective. What is wrong with ranks, found by a step along the edges that begin at each vertex; an empty text where
/// nothing is: the step changes them by no more than twice the tolerance in sum, and their sum is 1.
std::string wrong_in(graph_shape const& g, page_ranks const& all, page_rank_options const& how = {});

}  // namespace sheaf
