// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/base/huge_pages.hpp"
#include "sheaf/graph/detail/rows.hpp"
#include "sheaf/graph/detail/shape_parts.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/graph/graph_options.hpp"
#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

namespace detail {
template <class E>
class graph_builder;
}

/// A distributed graph whose edges have values of type E, any type that can travel.
template <class E = no_value>
class graph : public graph_shape {
 public:
  using edge_value = E;

  /// Of edge number k of out() and in().
  [[nodiscard]] E const& out_value(std::uint64_t k) const { return value_of(out_values_, k); }
  [[nodiscard]] E const& in_value(std::uint64_t k) const {
    return value_of(is_directed() ? in_values_ : out_values_, k);
  }

  /// Calls f(v) for each own vertex, f(target) or f(target, value) for each edge that begins at an own vertex.
  template <class F>
  void for_each_vertex(F f) const {
    for (vertex v = 0; v < local(); ++v) f(v);
  }
  template <class F>
  void for_each_edge(vertex v, F f) const {
    for (std::uint64_t k = out().first[v]; k < out().first[v + 1]; ++k) {
      if constexpr (std::is_invocable_v<F&, vertex>) {
        f(out().targets[k]);
      } else {
        f(out().targets[k], out_value(k));
      }
    }
  }

 private:
  friend class detail::graph_builder<E>;

  graph(detail::shape_parts&& parts, std::vector<E> out_values, std::vector<E> in_values)
      : graph_shape(std::move(parts)), out_values_(std::move(out_values)), in_values_(std::move(in_values)) {}
  static E const& value_of(std::vector<E> const& values, std::uint64_t k) {
    if constexpr (detail::has_values<E>) {
      return values[k];
    } else {
      static constexpr E none{};
      return none;
    }
  }

  std::vector<E> out_values_, in_values_;
};

namespace detail {

/// Edges to rows: ids become numbers, edges go to the owners of their ends, rows are sorted, ghosts numbered.
template <class E>
class graph_builder {
 public:
  graph_builder(team const& members, std::vector<edge<E>> edges, graph_options const& how)
      : team_(members), how_(checked_alike(members, how)), edges_(std::move(edges)), numbers_(numbered()) {}
  /// `numbers`: of all ids of edges here.
  graph_builder(team const& members, std::vector<edge<E>> edges, graph_options const& how, numbered_ids numbers)
      : team_(members), how_(how), edges_(std::move(edges)), numbers_(std::move(numbers)) {}

  graph<E> build() {
    std::uint64_t const first = numbers_.map.first(team_.rank()), local = numbers_.map.count(team_.rank());
    check_vertices(team_, local);
    send_arcs();
    std::vector<std::uint64_t> const ghosts = find_ghosts({first, first + local});
    check_vertices(team_, local + ghosts.size());
    auto const own = static_cast<vertex>(local);
    valued_rows<E> out = rows_of(std::move(out_arcs_), own, how_);
    valued_rows<E> in = rows_of(std::move(in_arcs_), keeps_in() ? own : 0, how_);
    shape_parts parts{team_,
                      numbers_.map,
                      how_.directed,
                      keeps_in(),
                      0,
                      std::move(out.rows),
                      std::move(in.rows),
                      std::move(ghosts),
                      std::move(numbers_.own_ids)};
    return graph<E>(std::move(parts), std::move(out.values), std::move(in.values));
  }

 private:
  [[nodiscard]] bool keeps_in() const { return how_.directed && how_.in_edges; }

  numbered_ids numbered() {
    if (how_.distribution != vertex_distribution::hash && how_.distribution != vertex_distribution::degree) {
      std::uint64_t largest = 0;
      for (edge<E> const& each : edges_) largest = std::max({largest, each.source, each.target});
      return number_by_formula(team_, how_, !edges_.empty(), largest);
    }
    std::vector<std::uint64_t> ids;
    ids.reserve(2 * edges_.size());
    for (edge<E> const& each : edges_) {
      ids.push_back(each.source);
      ids.push_back(each.target);
    }
    return number_by_table(team_, how_, std::move(ids));
  }

  void send_arcs() {
    using arcs = message_type<arc<E>, unordered>;
    reserve_in_huge_pages(out_arcs_, edges_.size() * (how_.directed ? 1 : 2));
    if (keeps_in()) reserve_in_huge_pages(in_arcs_, edges_.size());
    arcs out(team_, [this](arc<E> one) { out_arcs_.push_back(std::move(one)); });
    arcs in(team_, [this](arc<E> one) { in_arcs_.push_back(std::move(one)); });
    auto const put = [this](arcs& type, std::vector<arc<E>>& here, std::uint64_t at, std::uint64_t other, E value) {
      std::uint32_t const owner = numbers_.map.owner(at);
      arc<E> one(static_cast<vertex>(at - numbers_.map.first(owner)), other, std::move(value));
      owner == team_.rank() ? here.push_back(std::move(one)) : type.send(owner, one);
    };
    epoch(team_, [&] {
      for (edge<E>& each : edges_) {
        std::uint64_t const from = numbers_.number(each.source), to = numbers_.number(each.target);
        if (!how_.directed && from != to) put(out, out_arcs_, to, from, each.value);
        if (keeps_in()) put(in, in_arcs_, to, from, each.value);
        put(out, out_arcs_, from, to, std::move(each.value));
      }
    });
    edges_ = {};
  }

  /// Replaces numbers by vertices. Returns the ghosts' numbers, ascending.
  std::vector<std::uint64_t> find_ghosts(std::pair<std::uint64_t, std::uint64_t> own) {
    number_set found(numbers_.map.vertices(), out_arcs_.size() + in_arcs_.size(), own);
    for (auto const* arcs : {&out_arcs_, &in_arcs_}) {
      for (arc<E> const& each : *arcs) found.insert(each.other());
    }
    std::vector<std::uint64_t> ghosts = found.finish();
    for (auto* arcs : {&out_arcs_, &in_arcs_}) {
      for (arc<E>& each : *arcs) {
        std::uint64_t const other = each.other();
        bool const is_own = other - own.first < own.second - own.first;
        each.low = static_cast<vertex>(is_own ? other - own.first : own.second - own.first + found.position(other));
      }
    }
    return ghosts;
  }

  team const team_;
  graph_options const& how_;
  std::vector<edge<E>> edges_;
  numbered_ids numbers_;
  std::vector<arc<E>> out_arcs_, in_arcs_;
};

}  // namespace detail

/// Collective. A graph of the edges that the members give, in any distribution: each edge once, whoever gives it. Takes
/// at its peak about 40 bytes for each edge of a member, its own ones included, and sends each to the owners of its
/// ends. The result does not depend on the number of members or the order of edges, but for the numbers of vertices.
/// Throws usage_error on all members for an id beyond options.vertices, bad bounds, options that differ, and more than
/// 2^32 − 2 vertices with ghosts at a member.
template <class E>
graph<E> build_graph(team const& members, std::vector<edge<E>> edges, graph_options const& how = {}) {
  return detail::graph_builder<E>(members, std::move(edges), how).build();
}

}  // namespace sheaf
