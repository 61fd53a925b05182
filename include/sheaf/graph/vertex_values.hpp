// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

/// A value for each vertex that is known at a location: for its own ones, and, at the back, for its ghosts. These are
/// other memory than the owners' values, until `pull` or `push`. T can travel and be copied. The graph outlives it.
template <class T>
class vertex_values {
 public:
  explicit vertex_values(graph_shape const& g, T const& initial = T{}) : graph_(g), all_(g.all(), initial) {}

  [[nodiscard]] decltype(auto) operator[](vertex v) { return all_[v]; }
  [[nodiscard]] decltype(auto) operator[](vertex v) const { return all_[v]; }
  [[nodiscard]] std::span<T> own() { return {all_.data(), graph_.local()}; }
  [[nodiscard]] std::span<T const> own() const { return {all_.data(), graph_.local()}; }

  /// Collective. Every ghost gets its owner's value. One message for each pair of members.
  void pull() {
    auto const from = all_to_all(graph_.members(), gathered([this](std::uint32_t r, auto take) {
                                   for (vertex const v : graph_.mirrors_at(r)) take(all_[v]);
                                 }));
    for (std::uint32_t r = 0; r < from.size(); ++r) {
      vertex at = graph_.ghosts_of(r).first;
      for (auto const& value : from[r]) all_[at++] = value;
    }
  }

  /// Collective. Every own vertex gets op(its value, value of a ghost), one after the other, for its ghosts at all
  /// members, in the order of ranks; ghosts get `neutral`. One message for each pair of members.
  template <class Op>
  void push(Op op, T const& neutral) {
    auto const from = all_to_all(graph_.members(), gathered([this, &neutral](std::uint32_t r, auto take) {
                                   auto const [first, last] = graph_.ghosts_of(r);
                                   for (vertex v = first; v < last; ++v) take(std::exchange(all_[v], neutral));
                                 }));
    for (std::uint32_t r = 0; r < from.size(); ++r) {
      auto const mirrors = graph_.mirrors_at(r);
      for (std::size_t k = 0; k < mirrors.size(); ++k) all_[mirrors[k]] = op(all_[mirrors[k]], from[r][k]);
    }
  }

 private:
  /// The values for each member, of which `give(rank, take)` calls take with each.
  template <class Give>
  std::vector<std::vector<T>> gathered(Give give) {
    std::vector<std::vector<T>> all(graph_.members().size());
    for (std::uint32_t r = 0; r < all.size(); ++r) give(r, [&](T value) { all[r].push_back(std::move(value)); });
    return all;
  }

  graph_shape const& graph_;
  std::vector<T> all_;
};

}  // namespace sheaf
