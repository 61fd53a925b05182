// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/graph/detail/renumbered.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/vertex_values.hpp"

/// Graphs that are made of others. All but edges_of send each edge to the owners of its ends, as build_graph does.
namespace sheaf {

namespace detail {

/// Calls take(v, target, value) for each edge that begins at an own vertex; for an undirected edge at one end only.
template <class E, class Take>
void for_each_edge_once(graph<E> const& g, Take take) {
  for (vertex v = 0; v < g.local(); ++v) {
    for (std::uint64_t k = g.out().first[v]; k < g.out().first[v + 1]; ++k) {
      vertex const to = g.out().targets[k];
      if (g.is_directed() || g.number(v) <= g.number(to)) take(v, to, g.out_value(k));
    }
  }
}

}  // namespace detail

/// Local. The edges that begin at own vertices, by ids; of an undirected graph each edge at one of its ends, so that
/// over all members each edge is given once. This is what build_graph and write_edges take.
template <class E>
std::vector<edge<E>> edges_of(graph<E> const& g) {
  std::vector<edge<E>> all;
  detail::for_each_edge_once(g, [&](vertex v, vertex to, E const& value) {
    all.push_back({g.id(v), g.id(to), value});
  });
  return all;
}

/// Collective. The same vertices at the same members, with each edge turned round; of an undirected graph a copy. Keeps
/// edges in the directions in which g does.
template <class E>
graph<E> transposed(graph<E> const& g) {
  std::vector<edge<E>> turned;
  detail::for_each_edge_once(g, [&](vertex v, vertex to, E const& value) {
    turned.push_back({g.id(to), g.id(v), value});
  });
  graph_options const how = detail::options_of(g);
  return detail::graph_builder<E>(g.members(), std::move(turned), how, detail::numbers_of(g)).build();
}

/// Collective. The own vertices v for which keep(v) is true, and the edges between those of all members. They keep
/// their ids and their owners; vertices without edges stay, too. A message more for each pair of members.
template <class E, class Keep>
graph<E> sub_graph(graph<E> const& g, Keep keep) {
  static_assert(std::is_invocable_r_v<bool, Keep&, vertex>, "sheaf: sub_graph calls keep(vertex), which gives a bool");
  vertex_values<std::uint8_t> kept(g, 0);
  for (vertex v = 0; v < g.local(); ++v) kept[v] = keep(v) ? 1 : 0;
  kept.pull();
  std::vector<edge<E>> between;
  detail::for_each_edge_once(g, [&](vertex v, vertex to, E const& value) {
    if (kept[v] != 0 && kept[to] != 0) between.push_back({g.id(v), g.id(to), value});
  });
  graph_options const how = detail::options_of(g);
  return detail::graph_builder<E>(g.members(), std::move(between), how, detail::numbers_of(g, kept)).build();
}

/// Collective. The graph with other ids: own vertex v gets ids[v]. `how` says the distribution, by which vertices go to
/// new owners, and in_edges; the rest is as in g. With the distributions hash and degree, vertices without edges are
/// not in the result. Throws usage_error on all members if a member gives not one id for each own vertex, if two
/// vertices get one id, or if an id is not below vertices() where the distribution needs that.
template <class E>
graph<E> permuted(graph<E> const& g, std::vector<std::uint64_t> const& ids, graph_options how = {}) {
  how.vertices = g.vertices();
  detail::check_ids(g, ids, how);
  vertex_values<std::uint64_t> id(g);
  std::copy(ids.begin(), ids.end(), id.own().begin());
  id.pull();
  std::vector<edge<E>> all;
  detail::for_each_edge_once(g, [&](vertex v, vertex to, E const& value) { all.push_back({id[v], id[to], value}); });
  how.directed = g.is_directed();
  how.loops = how.parallel_edges = true;
  return build_graph(g.members(), std::move(all), how);
}

}  // namespace sheaf
