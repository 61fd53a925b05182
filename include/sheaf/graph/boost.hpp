// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

/// The part of a graph that a location has, as a graph of Boost.Graph: include this, and call Boost's algorithms with a
/// sheaf::graph. It models VertexListGraph, IncidenceGraph and AdjacencyGraph. Its vertices are all that are known
/// here, 0…all()−1; edges begin at own ones, so ghosts have none. Nothing is sent. Needs Boost's headers.

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sheaf/graph/graph.hpp"

namespace sheaf {

/// An edge as Boost.Graph knows it: where it begins, and its number in out().
struct local_edge {
  vertex from = 0;
  std::uint64_t number = 0;
  bool operator==(local_edge const&) const = default;
};

/// The edges of one vertex.
class local_edge_iterator
    : public boost::iterator_facade<local_edge_iterator, local_edge, boost::random_access_traversal_tag, local_edge> {
 public:
  local_edge_iterator() = default;
  explicit local_edge_iterator(local_edge at) : at_(at) {}

 private:
  friend class boost::iterator_core_access;
  [[nodiscard]] local_edge dereference() const { return at_; }
  [[nodiscard]] bool equal(local_edge_iterator const& other) const { return at_ == other.at_; }
  void increment() { ++at_.number; }
  void decrement() { --at_.number; }
  void advance(std::ptrdiff_t by) { at_.number += static_cast<std::uint64_t>(by); }
  [[nodiscard]] std::ptrdiff_t distance_to(local_edge_iterator const& other) const {
    return static_cast<std::ptrdiff_t>(other.at_.number - at_.number);
  }

  local_edge at_;
};

inline std::pair<boost::counting_iterator<vertex>, boost::counting_iterator<vertex>> vertices(graph_shape const& g) {
  return {boost::counting_iterator<vertex>(0), boost::counting_iterator<vertex>(g.all())};
}
inline std::size_t num_vertices(graph_shape const& g) { return g.all(); }
inline std::size_t out_degree(vertex v, graph_shape const& g) { return g.is_local(v) ? g.out().degree(v) : 0; }
inline std::pair<local_edge_iterator, local_edge_iterator> out_edges(vertex v, graph_shape const& g) {
  std::uint64_t const first = g.is_local(v) ? g.out().first[v] : 0;
  return {local_edge_iterator({v, first}), local_edge_iterator({v, first + out_degree(v, g)})};
}
inline std::pair<vertex const*, vertex const*> adjacent_vertices(vertex v, graph_shape const& g) {
  if (!g.is_local(v)) return {nullptr, nullptr};
  auto const row = g.out().row(v);
  return {row.data(), row.data() + row.size()};
}
inline vertex source(local_edge const& e, graph_shape const&) { return e.from; }
inline vertex target(local_edge const& e, graph_shape const& g) { return g.out().targets[e.number]; }
inline boost::identity_property_map get(boost::vertex_index_t, graph_shape const&) { return {}; }

/// The values of edges, as a property map: `weight_map(sheaf::edge_values(g))`.
template <class E>
class edge_values {
 public:
  using value_type = E;
  using reference = E;
  using key_type = local_edge;
  using category = boost::readable_property_map_tag;

  explicit edge_values(graph<E> const& g) : graph_(&g) {}
  friend E get(edge_values const& map, local_edge const& e) { return map.graph_->out_value(e.number); }

 private:
  graph<E> const* graph_;
};

namespace detail {

struct local_traits {
  struct traversal_category : boost::vertex_list_graph_tag, boost::incidence_graph_tag, boost::adjacency_graph_tag {};
  using vertex_descriptor = vertex;
  using edge_descriptor = local_edge;
  using vertex_iterator = boost::counting_iterator<vertex>;
  using out_edge_iterator = local_edge_iterator;
  using adjacency_iterator = vertex const*;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  static vertex null_vertex() { return ~vertex{0}; }
};

}  // namespace detail

}  // namespace sheaf

template <>
struct boost::graph_traits<sheaf::graph_shape> : sheaf::detail::local_traits {};
template <class E>
struct boost::graph_traits<sheaf::graph<E>> : sheaf::detail::local_traits {};

template <class E>
struct boost::property_map<sheaf::graph<E>, boost::vertex_index_t> {
  using type = boost::identity_property_map;
  using const_type = type;
};
