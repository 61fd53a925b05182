// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

/// Collective. Triangles of an undirected graph, each once; loops do not count, and parallel edges count once. Edges
/// lead from lower to higher degree; for each vertex and each other member that owns one of their targets, the
/// targets' list travels once, in one epoch: 4 bytes for each target (8 from 2^32 vertices on), in batches. Takes as
/// much memory as the graph's structure at most. Throws usage_error on all members for a directed graph.
/// There is no wrong_in: no property that is cheaper than counting proves a count.
std::uint64_t count_triangles(graph_shape const& g);

}  // namespace sheaf
