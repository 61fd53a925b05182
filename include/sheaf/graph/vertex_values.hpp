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

  /// Collective. Every ghost gets its owner's value. One message for each pair of members; in teams of more than 64 for
  /// each pair that shares edges, in an epoch.
  void pull() {
    auto from = exchanged([this](std::uint32_t r, std::vector<T>& to) {
      auto const mirrors = graph_.mirrors_at(r);
      to.reserve(mirrors.size());
      for (vertex const v : mirrors) to.push_back(all_[v]);
    });
    for (auto& each : from)
      std::move(each.values.begin(), each.values.end(), all_.begin() + graph_.ghosts_of(each.rank).first);
  }

  /// Collective. Every own vertex gets op(its value, value of a ghost), one after the other, for its ghosts at all
  /// members, in the order of ranks; ghosts get `neutral`. Messages as for pull.
  template <class Op>
  void push(Op op, T const& neutral) {
    auto const from = exchanged([this, &neutral](std::uint32_t r, std::vector<T>& to) {
      auto const [first, last] = graph_.ghosts_of(r);
      to.assign(std::make_move_iterator(all_.begin() + first), std::make_move_iterator(all_.begin() + last));
      std::fill(all_.begin() + first, all_.begin() + last, neutral);
    });
    for (auto const& each : from) {
      auto const mirrors = graph_.mirrors_at(each.rank);
      for (std::size_t k = 0; k < mirrors.size(); ++k) all_[mirrors[k]] = op(all_[mirrors[k]], each.values[k]);
    }
  }

 private:
  using part = detail::part_for<std::vector<T>>;

  /// Sends the values that `give(rank, to)` adds for each neighbour. Returns what these have sent.
  template <class Give>
  std::vector<part> exchanged(Give give) {
    std::vector<part> all;
    for (std::uint32_t const r : graph_.neighbour_ranks()) give(r, all.emplace_back(part{r, {}}).values);
    return detail::exchange_parts(graph_.members(), std::move(all));
  }

  graph_shape const& graph_;
  std::vector<T> all_;
};

}  // namespace sheaf
