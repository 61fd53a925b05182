// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Plain searches, which say whether the peers' results are right. A graph has vertices() and sorted rows: row(v).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "harness/graph_edges.hpp"

namespace sheaf_bench {

/// A vertex that is not reached has this level, or distance.
constexpr std::uint32_t far = std::numeric_limits<std::uint32_t>::max();

template <class Graph>
std::vector<std::uint32_t> levels(Graph const& g, std::uint32_t root) {
  std::vector<std::uint32_t> level(g.vertices(), far), queue{root};
  level[root] = 0;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (std::uint32_t const to : g.row(queue[k])) {
      if (level[to] != far) continue;
      level[to] = level[queue[k]] + 1;
      queue.push_back(to);
    }
  }
  return level;
}

/// Dijkstra's.
template <class Graph>
std::vector<std::uint32_t> distances(Graph const& g, std::uint32_t root) {
  using entry = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<std::uint32_t> best(g.vertices(), far);
  std::priority_queue<entry, std::vector<entry>, std::greater<>> left;
  best[root] = 0;
  left.emplace(0, root);
  while (!left.empty()) {
    auto const [length, v] = left.top();
    left.pop();
    if (length > best[v]) continue;
    for (std::uint32_t const to : g.row(v)) {
      std::uint32_t const longer = length + graph_edges::weight(v, to);
      if (longer >= best[to]) continue;
      best[to] = longer;
      left.emplace(longer, to);
    }
  }
  return best;
}

/// Each vertex that can be reached has a parent: a neighbour that is one level above it. Others have -1.
template <class Graph>
void check_tree(Graph const& g, std::uint32_t root, std::vector<std::int32_t> const& parent) {
  auto const level = levels(g, root);
  for (std::uint32_t v = 0; v < g.vertices(); ++v) {
    check((parent[v] >= 0) == (level[v] != far), "a vertex is reached that should not be, or the other way round");
    if (level[v] == far || v == root) continue;
    auto const from = static_cast<std::uint32_t>(parent[v]);
    check(level[from] == level[v] - 1 && std::ranges::binary_search(g.row(v), from), "a parent is wrong");
  }
}

}  // namespace sheaf_bench
