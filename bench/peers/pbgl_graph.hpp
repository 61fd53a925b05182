// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The graph of peers by Boost's Parallel BGL: its compressed sparse rows, in blocks, as peers/mpi_graph.hpp cuts them.
#pragma once

#include <boost/graph/use_mpi.hpp>
// the one above comes first
#include <boost/graph/distributed/compressed_sparse_row_graph.hpp>
#include <boost/graph/distributed/mpi_process_group.hpp>
#include <boost/property_map/parallel/distributed_property_map.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "peers/mpi_graph.hpp"

namespace sheaf_bench {

struct no_weight {};
struct with_weight {
  std::uint32_t weight;
};

template <class Edge>
using pbgl_graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Edge, boost::no_property,
                                       boost::distributedS<boost::graph::distributed::mpi_process_group, std::uint32_t>,
                                       std::uint32_t>;

/// Collective.
template <class Edge>
pbgl_graph<Edge> build_pbgl(block_graph const& g) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<Edge> values;
  for (std::uint32_t v = 0; v < g.local(); ++v) {
    for (std::uint32_t const to : g.row(v)) {
      ends.emplace_back(g.begin() + v, to);
      if constexpr (sizeof(Edge) > 1) values.push_back({graph_edges::weight(g.begin() + v, to)});
    }
  }
  values.resize(ends.size());
  return {boost::edges_are_sorted, ends.begin(), ends.end(), values.begin(), g.vertices()};
}

/// The map of a value for each own vertex.
template <class Graph>
auto values_of(Graph const& g, std::vector<std::uint32_t>& values) {
  return boost::make_iterator_property_map(values.begin(), get(boost::vertex_index, g));
}

}  // namespace sheaf_bench
