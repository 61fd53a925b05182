// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "graph/work_list.hpp"
#include "sheaf/graph/graph_shape.hpp"
#include "sheaf/graph/vertex_messages.hpp"
#include "sheaf/graph/vertex_values.hpp"

namespace sheaf::detail {

/// What is left of a graph while its strongly connected components are found: own vertices as units, each of which is
/// in one component, in parts, between which no component lies. Members' calls of `prepare` and `trim` are collective.
class strong_rest {
 public:
  static constexpr std::uint32_t gone = ~std::uint32_t{0};
  struct totals {
    std::uint64_t units = 0, edges = 0;
    friend totals operator+(totals a, totals b) { return {a.units + b.units, a.edges + b.edges}; }
  };

  /// Without units yet.
  explicit strong_rest(graph_shape const& g);
  /// Each own vertex is a unit.
  void take_alone();

  graph_shape const& g;
  adjacency const &out, &in;
  vertex_values<std::uint32_t> part;  ///< of own vertices; of ghosts as of the last pull
  std::vector<vertex> unit, next;     ///< as local_components
  std::vector<vertex> left;           ///< units; `sweep` takes out those that are gone
  std::vector<std::uint64_t> name;    ///< of own vertices that are gone: the number of a vertex of their component
  std::uint64_t messages = 0;         ///< that this member has sent

  template <class F>
  void each_of(vertex u, F f) const {
    vertex v = u;
    do {
      f(v);
      v = next[v];
    } while (v != u);
  }
  /// The unit's component is found.
  void finish(vertex u, std::uint64_t its_name);
  /// The vertices of the unit get a part that they share with those of the same part and mark.
  void split(vertex u, std::uint64_t mark);
  void sweep();

  /// Pulls parts, and counts what leads to units and ghosts from the same part; nothing if no units are left.
  totals prepare();
  /// Units that nothing leads to or from go, until there are none. Gives what is left.
  totals trim();

 private:
  /// For one direction: `here`: edges that lead to an own unit from others, and members with edges to each of its
  /// vertices; to a ghost: edges from here.
  void count(adjacency const& back, std::vector<std::uint32_t>& here, std::vector<std::uint32_t>& there, vertex u);
  void lose(std::vector<std::uint32_t>& counts, vertex v, vertex_messages<>& to_ghosts);
  void arrive(std::vector<std::uint32_t>& counts, vertex v);
  void remove(vertex u);

  struct removing {
    strong_rest& rest;
    void operator()(vertex u) const { rest.remove(u); }
  };

  std::vector<std::uint32_t> in_left_, out_left_;
  std::uint64_t edges_ = 0;
  work_list<removing> work_{g, removing{*this}};
  vertex_messages<> no_more_in_{g, [this](vertex v) { arrive(in_left_, v); }};
  vertex_messages<> no_more_out_{g, [this](vertex v) { arrive(out_left_, v); }};
};

}  // namespace sheaf::detail
