// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/betweenness.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "graph/serial.hpp"
#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/graph/graph.hpp"

namespace {

using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::text_of;
namespace serial = sheaf_test::serial;

class betweenness : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(betweenness);

void expect_values(sheaf::graph_shape const& g, std::vector<double> const& found, std::vector<double> const& right) {
  EXPECT_EQ(found.size(), g.local());
  for (vertex v = 0; v < g.local(); ++v)
    EXPECT_NEAR(found[v], right[g.id(v)], 1e-9 * (1 + right[g.id(v)])) << "vertex " << g.id(v);
}

TEST_P(betweenness, from_some_vertices_is_what_a_serial_algorithm_finds) {
  each([](team const& world, std::uint64_t seed) {
    auto const some = sheaf_test::make_graph(seed);
    auto const g = some.build(world);
    auto const sources = sheaf::sampled_vertices(g, 5, seed);
    expect_values(g, sheaf::betweenness(g, sources),
                  serial::betweenness(serial::rows_of(some.kept(), some.n, some.how.directed), sources));
  });
}

TEST_P(betweenness, from_all_vertices_is_what_a_serial_algorithm_finds) {
  run(3, [](team const& world) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      auto const some = sheaf_test::make_graph(seed);
      auto const g = some.build(world);
      expect_values(g, sheaf::betweenness(g),
                    serial::betweenness(serial::rows_of(some.kept(), some.n, some.how.directed)));
    }
  });
}

/// A chain of diamonds: 0 - {1, 2} - 3 - {4, 5} - 6 … In each the number of shortest paths doubles.
TEST_P(betweenness, counts_more_paths_than_a_double_holds) {
  run(2, [](team const& world) {
    constexpr std::uint64_t diamonds = 1100;
    std::vector<sheaf::edge<>> edges;
    for (std::uint64_t first = 0; first < 3 * diamonds && world.rank() == 0; first += 3) {
      for (std::uint64_t const middle : {first + 1, first + 2}) {
        edges.push_back({first, middle});
        edges.push_back({middle, first + 3});
      }
    }
    auto const g = sheaf::build_graph(world, edges, {.directed = false});
    std::uint64_t const source[] = {0};
    std::vector<double> right;
    for (std::uint64_t v = 0; v <= 3 * diamonds; ++v) {
      auto const behind = static_cast<double>(3 * diamonds - v);
      right.push_back(v == 0 ? 0 : v % 3 == 0 ? behind : (3 * static_cast<double>(diamonds - v / 3 - 1) + 1) / 2);
    }
    auto const found = sheaf::betweenness(g, source);
    expect_values(g, found, right);
    EXPECT_EQ(sheaf::wrong_in(g, source, found), "");
  });
}

/// Beside the diamonds a path of the same length: at one distance there are one path and 2^k.
TEST_P(betweenness, of_paths_too_different_in_number_is_told) {
  run(2, [](team const& world) {
    constexpr std::uint64_t diamonds = 1900;
    std::vector<sheaf::edge<>> edges;
    for (std::uint64_t k = 0; k < diamonds && world.rank() == 0; ++k) {
      std::uint64_t const first = 5 * k, next = first + 5;  // the path: 3, 4, 8, 9, 13 …
      for (std::uint64_t const middle : {first + 1, first + 2}) {
        edges.push_back({first, middle});
        edges.push_back({middle, next});
      }
      edges.push_back({k == 0 ? 0 : first - 1, first + 3});
      edges.push_back({first + 3, first + 4});
    }
    auto const g = sheaf::build_graph(world, edges, {.directed = false});
    std::uint64_t const source[] = {0};
    expect_in("2^1800 times as many shortest paths",
              text_of<sheaf::usage_error>([&] { sheaf::betweenness(g, source); }));
  });
}

TEST_P(betweenness, from_what_is_no_vertex_is_told) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, sheaf_test::make_graph(1).part(world), {.vertices = 1});
    std::uint64_t const none[] = {17};
    expect_in("from 17, which is no vertex", text_of<sheaf::usage_error>([&] { sheaf::betweenness(g, none); }));
  });
}

TEST_P(betweenness, samples_are_the_same_for_any_number_of_members) {
  auto const some = sheaf_test::make_graph(10);
  std::set<std::vector<std::uint64_t>> found;
  for (unsigned const members : {1U, 2U, 7U}) {
    run(members, [&](team const& world) {
      auto const g = some.build(world);
      auto const sample = sheaf::sampled_vertices(g, 7, 3);
      EXPECT_EQ(sheaf::sampled_vertices(g, some.n + 1, 3).size(), g.vertices());
      EXPECT_NE(sheaf::sampled_vertices(g, 7, 4), sample);
      EXPECT_TRUE(sheaf::sampled_vertices(g, 7, 3, some.n + 1).empty());
      sheaf::fence(world);
      if (world.rank() == 0) found.insert(sample);
    });
  }
  EXPECT_EQ(found.size(), 1U);
  EXPECT_EQ(found.begin()->size(), 7U);
}

}  // namespace
