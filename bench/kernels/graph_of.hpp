// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Sheaf's graphs of the graph rows.
#pragma once

#include <utility>
#include <vector>

#include "harness/graph_edges.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/sheaf.hpp"

namespace sheaf_bench {

/// A member's part. E: sheaf::no_value, or the type of weights.
template <class E = sheaf::no_value>
std::vector<sheaf::edge<E>> edges_of(sheaf::team const& world, graph_edges const& edges) {
  std::vector<sheaf::edge<E>> mine;
  for (std::uint64_t i = world.rank(); i < edges.count(); i += world.size()) {
    auto const [from, to] = edges[i];
    if constexpr (std::is_same_v<E, sheaf::no_value>) {
      mine.push_back({from, to});
    } else {
      mine.push_back({from, to, static_cast<E>(graph_edges::weight(from, to))});
    }
  }
  return mine;
}

/// Collective.
template <class E = sheaf::no_value>
sheaf::graph<E> graph_of(sheaf::team const& world, graph_edges const& edges) {
  return sheaf::build_graph(world, edges_of<E>(world, edges), {.directed = false, .vertices = edges.vertices()});
}

}  // namespace sheaf_bench
