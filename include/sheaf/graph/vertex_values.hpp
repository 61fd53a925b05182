// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/graph/detail/exchange.hpp"
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
    auto const from = detail::exchange(graph_.members(), gathered([this](std::uint32_t r, std::vector<T>& to) {
                                         auto const mirrors = graph_.mirrors_at(r);
                                         to.reserve(mirrors.size());
                                         for (vertex const v : mirrors) to.push_back(all_[v]);
                                       }));
    for (std::uint32_t r = 0; r < from.size(); ++r) {
      vertex const at = graph_.ghosts_of(r).first;
      std::copy(from[r].begin(), from[r].end(), all_.begin() + at);
    }
  }

  /// Collective. Every own vertex gets op(its value, value of a ghost), one after the other, for its ghosts at all
  /// members, in the order of ranks; ghosts get `neutral`. One message for each pair of members.
  template <class Op>
  void push(Op op, T const& neutral) {
    auto const from = detail::exchange(
        graph_.members(), gathered([this, &neutral](std::uint32_t r, std::vector<T>& to) {
          auto const [first, last] = graph_.ghosts_of(r);
          to.assign(std::make_move_iterator(all_.begin() + first), std::make_move_iterator(all_.begin() + last));
          std::fill(all_.begin() + first, all_.begin() + last, neutral);
        }));
    for (std::uint32_t r = 0; r < from.size(); ++r) {
      auto const mirrors = graph_.mirrors_at(r);
      for (std::size_t k = 0; k < mirrors.size(); ++k) all_[mirrors[k]] = op(all_[mirrors[k]], from[r][k]);
    }
  }

 private:
  /// The values for each member, that `give(rank, to)` adds.
  template <class Give>
  std::vector<std::vector<T>> gathered(Give give) {
    std::vector<std::vector<T>> all(graph_.members().size());
    for (std::uint32_t r = 0; r < all.size(); ++r) give(r, all[r]);
    return all;
  }

  graph_shape const& graph_;
  std::vector<T> all_;
};

}  // namespace sheaf
