// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of graph.bfs.pbgl and graph.bfs.messages: the breadth-first search of Boost's Parallel BGL, with levels.
#include "peers/pbgl_graph.hpp"
// the graph comes first
#include <boost/graph/distributed/breadth_first_search.hpp>

#include "peers/graph_checks.hpp"

namespace {

using namespace sheaf_bench;
using graph_type = pbgl_graph<no_weight>;

void search(graph_type const& g, std::uint32_t root, std::vector<std::uint32_t>& level) {
  std::fill(level.begin(), level.end(), far);
  auto const start = vertex(root, g);
  auto map = values_of(g, level);
  set_property_map_role(boost::vertex_distance, map);
  put(map, start, 0U);
  breadth_first_search(g, start, boost::visitor(make_bfs_visitor(record_distances(map, boost::on_tree_edge()))));
  synchronize(map);
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  graph_edges const edges(args);
  block_graph const block(edges, mpi.rank(), mpi.size());
  graph_type const g = build_pbgl<no_weight>(block);
  std::vector<std::uint32_t> level(block.local());
  auto const samples = search_samples(args, edges, 3, 16, mpi_rank::barrier,
                                      [&](std::uint64_t root) { search(g, static_cast<std::uint32_t>(root), level); });
  auto const root = static_cast<std::uint32_t>(edges.root(0));
  search(g, root, level);
  std::vector<std::uint32_t> const found = gathered(block, mpi, level);
  if (mpi.rank() != 0) return 0;
  check(found == levels(block_graph(edges, 0, 1), root), "a level is wrong");
  print_result("ms", samples);
}
