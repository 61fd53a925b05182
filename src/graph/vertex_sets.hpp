// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "sheaf/graph/adjacency.hpp"

namespace sheaf::detail {

/// Disjoint sets of a location's vertices. The name of a set is its smallest vertex: an own one, if it has any.
class vertex_sets {
 public:
  explicit vertex_sets(vertex all) : parent_(all) { std::iota(parent_.begin(), parent_.end(), vertex{0}); }

  void unite(vertex a, vertex b) {
    a = parent_[a];
    b = parent_[b];
    while (a != b) {
      vertex const high = std::max(a, b), low = std::min(a, b), above = parent_[high];
      if (above == high) {
        parent_[high] = low;
        return;
      }
      a = parent_[above];
      b = low;
    }
  }
  void fetch(vertex v) const { __builtin_prefetch(&parent_[v]); }
  /// Then known_name is the name.
  void compress() {
    for (vertex v = 0; v < parent_.size(); ++v) parent_[v] = parent_[parent_[v]];  // smaller ones are done
  }
  [[nodiscard]] vertex known_name(vertex v) const { return parent_[v]; }

 private:
  std::vector<vertex> parent_;
};

}  // namespace sheaf::detail
