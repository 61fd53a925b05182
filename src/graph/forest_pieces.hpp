// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/graph/detail/forest_edges.hpp"
#include "sheaf/graph/graph_shape.hpp"

namespace sheaf::detail {

/// Where an edge stands among all: no two that join different vertices are equal.
struct edge_rank {
  std::uint64_t key = ~std::uint64_t{0}, low = ~std::uint64_t{0}, high = ~std::uint64_t{0};

  auto operator<=>(edge_rank const&) const = default;
};

/// A location's pieces of trees: each is named by its smallest vertex. Local.
class forest_pieces {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  forest_pieces(graph_shape const& g, std::span<std::uint64_t const> keys);

  /// Joins pieces whose first edge to another one leads to an own vertex, until there are none.
  void join_own(std::vector<forest_edge>& chosen);

  [[nodiscard]] vertex piece(vertex v) const;
  /// Calls is_inner(from, to) for each edge that is left, drops those where it is true, and finds for each piece the
  /// first of the others: its place among them, or none.
  template <class F>
  void find_best(F is_inner) {
    best_.assign(best_.size(), none);
    std::size_t kept = 0;
    for (forest_edge const& each : left_) {
      if (is_inner(each.from, target(each))) continue;
      left_[kept] = each;
      improve(piece(each.from), kept);
      if (g_.is_local(target(each))) improve(piece(target(each)), kept);
      ++kept;
    }
    left_.resize(kept);
  }
  [[nodiscard]] std::size_t best(vertex its) const { return best_[its]; }
  [[nodiscard]] forest_edge const& operator[](std::size_t place) const { return left_[place]; }
  [[nodiscard]] vertex target(forest_edge const& one) const { return g_.out().targets[one.edge]; }
  [[nodiscard]] edge_rank rank(forest_edge const& one) const;

 private:
  void improve(vertex its, std::size_t place) {
    std::size_t& best = best_[its];
    if (best == none || comes_first(left_[place], left_[best])) best = place;
  }
  [[nodiscard]] bool comes_first(forest_edge const& a, forest_edge const& b) const {
    std::uint64_t const of_a = keys_[a.edge], of_b = keys_[b.edge];
    return of_a != of_b ? of_a < of_b : rank(a) < rank(b);
  }
  bool join(vertex a, vertex b);

  graph_shape const& g_;
  std::span<std::uint64_t const> const keys_;
  std::vector<vertex> mutable up_;
  std::vector<forest_edge> left_;
  std::vector<std::size_t> best_;
};

}  // namespace sheaf::detail
