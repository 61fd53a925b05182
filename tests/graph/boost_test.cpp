// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/boost.hpp"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/graph_concepts.hpp>

#include "rmi/jobs.hpp"
#include "sheaf/graph/breadth_first.hpp"
#include "sheaf/graph/generators.hpp"
#include "sheaf/graph/shortest_paths.hpp"

namespace {

using sheaf::team;
using sheaf::vertex;

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<sheaf::graph<int>>));
BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<sheaf::graph<int>>));
BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<sheaf::graph<int>>));

TEST(local_parts_of_graphs, are_searched_by_boost) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 1), [](team const& world) {
    auto const edges = sheaf::with_random_weights<int>(sheaf::erdos_renyi(world, 500, 2000), 1, 1, 9);
    auto const g = sheaf::build_graph(world, edges);
    std::vector<std::uint32_t> level(g.all(), 0);
    boost::breadth_first_search(
        g, vertex{3},
        boost::visitor(boost::make_bfs_visitor(boost::record_distances(level.data(), boost::on_tree_edge()))));
    auto const tree = sheaf::breadth_first(g, 3);
    std::vector<int> distance(g.all());
    boost::dijkstra_shortest_paths(g, vertex{3},
                                   boost::weight_map(sheaf::edge_values<int>(g)).distance_map(distance.data()));
    auto const paths = sheaf::shortest_paths(g, 3);
    for (vertex v = 0; v < g.local(); ++v) {
      if (tree.level[v] == sheaf::bfs_tree::unreached) continue;
      EXPECT_EQ(level[v], tree.level[v]);
      EXPECT_EQ(static_cast<std::uint64_t>(distance[v]), paths.distance[v]);
    }
    EXPECT_GT(tree.reached, 400u);
  });
}

TEST(local_parts_of_graphs, end_at_ghosts) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 3), [](team const& world) {
    auto const g = sheaf::build_graph(world, sheaf::hamiltonian_cycle(world, 30));
    EXPECT_EQ(num_vertices(g), g.all());
    std::uint64_t edges = 0;
    for (auto [v, end] = vertices(g); v != end; ++v) {
      auto const [first, last] = out_edges(*v, g);
      EXPECT_EQ(static_cast<std::size_t>(last - first), g.is_local(*v) ? 1u : 0u);
      for (auto e = first; e != last; ++e, ++edges) EXPECT_EQ(source(*e, g), *v);
    }
    EXPECT_EQ(sheaf::all_reduce(world, edges, std::plus<>{}), 30u);
  });
}

}  // namespace
