// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf::detail {

/// Where an own vertex is a ghost: at a member, at a position among the ghosts of this member's vertices there.
struct mirror_place {
  std::uint32_t rank, position;
};

/// graph_shape::mirrors_at by vertices. Local.
class mirror_lists {
 public:
  explicit mirror_lists(graph_shape const& g);

  [[nodiscard]] std::span<mirror_place const> operator[](vertex v) const {
    return {places_.data() + first_[v], first_[v + std::size_t{1}] - first_[v]};
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<mirror_place> places_;
};

/// Calls f(own vertex, ghost) for each edge between them that is known here: one that leads there, or back if the graph
/// is directed and keeps those.
template <class F>
void each_crossing(graph_shape const& g, F f) {
  for (vertex v = 0; v < g.local(); ++v) {
    for (vertex const to : g.out().row(v)) {
      if (!g.is_local(to)) f(v, to);
    }
    if (!g.is_directed() || !g.has_in()) continue;
    for (vertex const from : g.in().row(v)) {
      if (!g.is_local(from)) f(v, from);
    }
  }
}

/// Rows of the ghosts, from 0: the own vertices v that share edges with them, where keep(v, ghost). Local.
template <class Keep>
adjacency rows_of_ghosts(graph_shape const& g, Keep keep) {
  adjacency rows;
  rows.first.assign(g.all() - g.local() + std::size_t{2}, 0);
  each_crossing(g, [&](vertex v, vertex ghost) { rows.first[ghost - g.local() + std::size_t{2}] += keep(v, ghost); });
  for (std::size_t k = 2; k < rows.first.size(); ++k) rows.first[k] += rows.first[k - 1];
  rows.targets.resize(rows.first.back());
  each_crossing(g, [&](vertex v, vertex ghost) {
    if (keep(v, ghost)) rows.targets[rows.first[ghost - g.local() + std::size_t{1}]++] = v;
  });
  rows.first.pop_back();
  return rows;
}

}  // namespace sheaf::detail
