// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/topological_order.hpp"

#include <algorithm>
#include <vector>

#include "graph/serial.hpp"
#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/graph/graph.hpp"

namespace {

using sheaf::team;
using sheaf::topological_levels;
using sheaf::vertex;
namespace serial = sheaf_test::serial;

class topological_order : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(topological_order);

/// Longest paths, by removing vertices without edges to them until there are none.
std::vector<std::uint32_t> right_levels(serial::rows const& out) {
  std::vector<std::uint64_t> waits(out.size(), 0);
  for (auto const& row : out) {
    for (serial::id const to : row) ++waits[to];
  }
  std::vector<std::uint32_t> level(out.size(), 0);
  std::vector<serial::id> order;
  for (serial::id v = 0; v < out.size(); ++v) {
    if (waits[v] == 0) order.push_back(v);
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (serial::id const to : out[order[k]]) {
      level[to] = std::max(level[to], level[order[k]] + 1);
      if (--waits[to] == 0) order.push_back(to);
    }
  }
  for (serial::id v = 0; v < out.size(); ++v) {
    if (waits[v] != 0) level[v] = topological_levels::none;
  }
  return level;
}

void expect_levels(sheaf::graph_shape const& g, std::vector<std::uint32_t> const& right,
                   std::vector<serial::id> const& vertices) {
  topological_levels const found = sheaf::topological_order(g);
  for (vertex v = 0; v < g.local(); ++v) EXPECT_EQ(found.level[v], right[g.id(v)]) << "vertex " << g.id(v);
  std::uint32_t levels = 0;
  std::uint64_t left = 0;
  std::optional<std::uint64_t> cyclic;
  for (serial::id const v : vertices) {
    if (right[v] != topological_levels::none) levels = std::max(levels, right[v] + 1);
    if (right[v] != topological_levels::none) continue;
    ++left;
    if (!cyclic) cyclic = v;
  }
  EXPECT_EQ(found.levels, levels);
  EXPECT_EQ(found.left, left);
  EXPECT_EQ(found.cyclic, cyclic);
  EXPECT_EQ(found.is_complete(), left == 0);
}

TEST_P(topological_order, has_the_levels_of_longest_paths) {
  each([](team const& world, std::uint64_t seed) {
    auto some = sheaf_test::make_graph(seed);
    some.how.directed = true;
    some.how.in_edges = seed % 3 == 0;
    for (auto& each : some.edges) {  // most graphs have no cycle
      if (seed % 4 != 0 && each.source > each.target) std::swap(each.source, each.target);
    }
    expect_levels(some.build(world), right_levels(serial::rows_of(some.kept(), some.n, true)), some.vertices());
  });
}

TEST_P(topological_order, of_an_undirected_graph_leaves_what_has_edges) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, std::vector<sheaf::edge<>>{{1, 2}}, {.directed = false, .vertices = 4});
    topological_levels const found = sheaf::topological_order(g);
    EXPECT_EQ(found.left, 2U);
    EXPECT_EQ(found.cyclic, 1U);
    EXPECT_EQ(found.levels, 1U);
  });
}

}  // namespace
