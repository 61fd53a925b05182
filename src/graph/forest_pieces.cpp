// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/forest_pieces.hpp"

#include <algorithm>
#include <numeric>

namespace sheaf::detail {

/// Of an edge between own vertices, which is in two rows, one is enough.
forest_pieces::forest_pieces(graph_shape const& g, std::span<std::uint64_t const> keys)
    : g_(g), keys_(keys), up_(g.local()), best_(g.local(), none) {
  std::iota(up_.begin(), up_.end(), vertex{0});
  for (vertex v = 0; v < g.local(); ++v) {
    for (std::uint64_t k = g.out().first[v]; k < g.out().first[v + 1]; ++k) {
      if (g.out().targets[k] > v) left_.push_back({v, k});
    }
  }
}

void forest_pieces::join_own(std::vector<forest_edge>& chosen) {
  auto const is_inner = [this](vertex from, vertex to) { return g_.is_local(to) && piece(from) == piece(to); };
  for (bool joined = true; joined;) {
    joined = false;
    find_best(is_inner);
    for (vertex v = 0; v < g_.local(); ++v) {
      if (best_[v] == none) continue;
      forest_edge const one = left_[best_[v]];
      if (!g_.is_local(target(one)) || !join(one.from, target(one))) continue;
      chosen.push_back(one);
      joined = true;
    }
  }
}

vertex forest_pieces::piece(vertex v) const {
  while (up_[v] != v) v = up_[v] = up_[up_[v]];
  return v;
}

bool forest_pieces::join(vertex a, vertex b) {
  auto const [low, high] = std::minmax({piece(a), piece(b)});
  up_[high] = low;
  return low != high;
}

edge_rank forest_pieces::rank(forest_edge const& one) const {
  auto const [low, high] = std::minmax({g_.id(one.from), g_.id(target(one))});
  return {keys_[one.edge], low, high};
}

}  // namespace sheaf::detail
