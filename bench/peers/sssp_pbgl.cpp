// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of graph.sssp.pbgl: the Δ-stepping of Boost's Parallel BGL. `--delta` is by default what is best for one rank,
/// or for two.
#include "peers/pbgl_graph.hpp"
// the graph comes first
#include <boost/graph/distributed/delta_stepping_shortest_paths.hpp>

#include "peers/graph_checks.hpp"

namespace {

using namespace sheaf_bench;
using graph_type = pbgl_graph<with_weight>;

void search(graph_type const& g, std::uint32_t root, std::uint32_t delta, std::vector<std::uint32_t>& length) {
  boost::graph::distributed::delta_stepping_shortest_paths(g, vertex(root, g), boost::dummy_property_map(),
                                                           values_of(g, length), get(&with_weight::weight, g), delta);
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  graph_edges const edges(args);
  block_graph const block(edges, mpi.rank(), mpi.size());
  graph_type const g = build_pbgl<with_weight>(block);
  auto const delta = static_cast<std::uint32_t>(args.number("--delta", mpi.size() == 1 ? 4 : 32));
  std::vector<std::uint32_t> length(block.local());
  auto const samples = search_samples(args, edges, 3, 8, mpi_rank::barrier, [&](std::uint64_t root) {
    search(g, static_cast<std::uint32_t>(root), delta, length);
  });
  auto const root = static_cast<std::uint32_t>(edges.root(0));
  search(g, root, delta, length);
  std::vector<std::uint32_t> const found = gathered(block, mpi, length);
  if (mpi.rank() != 0) return 0;
  check(found == distances(block_graph(edges, 0, 1), root), "a length is wrong");
  print_result("ms", samples);
}
