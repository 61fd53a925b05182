// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/triangles.hpp"

#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::make_graph;
using sheaf_test::text_of;
namespace serial = sheaf_test::serial;

class triangles : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(triangles);

/// With many vertices more, rows are intersected without marks.
TEST_P(triangles, are_as_many_as_a_serial_algorithm_counts) {
  each([](team const& world, std::uint64_t seed) {
    auto all = make_graph(seed);
    all.how.directed = false;
    auto const right = serial::triangles(serial::rows_of(all.edges, all.n, false));
    for (std::uint64_t const more : {0U, 1'000'000U}) {
      all.how.vertices = all.n + more;
      EXPECT_EQ(sheaf::count_triangles(all.build(world)), right) << "seed " << seed;
    }
  });
}

/// Of k vertices that are all joined: rows that do not fit into a batch.
TEST_P(triangles, of_a_complete_graph) {
  run(2, [](team const& world) {
    constexpr std::uint64_t k = 300, others = 20'000;
    std::vector<sheaf::edge<>> edges;
    for (std::uint64_t a = world.rank(); a < k; a += world.size()) {
      for (std::uint64_t b = 0; b < a; ++b) edges.push_back({a, b});
    }
    for (std::uint64_t v = k + world.rank(); v < k + others; v += world.size()) {
      for (std::uint64_t const to : {k + others, k + others + 1}) edges.push_back({v, to});
    }
    if (world.rank() == 0) edges.push_back({k + others, k + others + 1});
    auto const g =
        sheaf::build_graph(world, edges, {.directed = false, .distribution = sheaf::vertex_distribution::cyclic});
    EXPECT_EQ(sheaf::count_triangles(g), k * (k - 1) * (k - 2) / 6 + others);
  });
}

TEST_P(triangles, of_a_directed_graph_are_refused) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, std::vector<sheaf::edge<>>{{0, 1}});
    expect_in("graph_options::directed = false", text_of<sheaf::usage_error>([&] { sheaf::count_triangles(g); }));
  });
}

}  // namespace
