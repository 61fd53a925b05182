// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/breadth_first.hpp"

#include <functional>
#include <map>
#include <queue>
#include <random>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/graph/graph.hpp"

namespace {

using sheaf::bfs_form;
using sheaf::bfs_tree;
using sheaf::edge;
using sheaf::graph_options;
using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class breadth_first : public sheaf_test::over {};
SHEAF_OVER_ALL(breadth_first);

constexpr bfs_form forms[] = {bfs_form::direction_optimizing, bfs_form::top_down, bfs_form::messages};

/// Some dense, some sparse, one of long paths.
std::vector<edge<>> some_edges(std::uint64_t seed) {
  std::mt19937_64 next(seed);
  std::uint64_t const n = 20 + next() % 200, count = seed % 3 == 0 ? n : n * (next() % 10 + 1);
  std::vector<edge<>> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (seed % 3 == 1) all.push_back({i % n, (i + 1 + next() % 2) % n});
    if (seed % 3 != 1) all.push_back({next() % n, next() % n});
  }
  return all;
}

std::map<std::uint64_t, std::uint32_t> serial_levels(std::vector<edge<>> const& edges, bool directed,
                                                     std::uint64_t root) {
  std::map<std::uint64_t, std::vector<std::uint64_t>> next;
  for (auto const& each : edges) {
    next[each.source].push_back(each.target);
    if (!directed) next[each.target].push_back(each.source);
  }
  std::map<std::uint64_t, std::uint32_t> level{{root, 0}};
  std::queue<std::uint64_t> queue({root});
  for (; !queue.empty(); queue.pop()) {
    for (std::uint64_t const to : next[queue.front()]) {
      if (level.emplace(to, level[queue.front()] + 1).second) queue.push(to);
    }
  }
  return level;
}

std::vector<edge<>> part_of(std::vector<edge<>> const& all, team const& world) {
  std::vector<edge<>> mine;
  for (std::size_t i = world.rank(); i < all.size(); i += world.size()) mine.push_back(all[i]);
  return mine;
}

void expect_levels(sheaf::graph_shape const& g, bfs_tree const& tree,
                   std::map<std::uint64_t, std::uint32_t> const& levels) {
  for (vertex v = 0; v < g.local(); ++v) {
    auto const at = levels.find(g.id(v));
    EXPECT_EQ(tree.level[v], at == levels.end() ? bfs_tree::unreached : at->second) << "vertex " << g.id(v);
  }
  EXPECT_EQ(tree.reached, levels.size());
}

TEST_P(breadth_first, finds_the_levels_that_a_serial_search_finds) {
  for (unsigned const members : {1U, 2U, 3U, 4U, 7U}) {
    run(members, [&](team const& world) {
      for (std::uint64_t seed = 0; seed < 24; ++seed) {
        auto const edges = some_edges(seed);
        std::uint64_t const root = edges[seed % edges.size()].source;
        graph_options const how{
            .directed = seed % 2 == 0,
            .in_edges = seed % 4 == 0,
            .distribution = static_cast<sheaf::vertex_distribution>(seed % 2 + (seed % 3 == 0 ? 3 : 0))};
        auto const g = sheaf::build_graph(world, part_of(edges, world), how);
        auto const levels = serial_levels(edges, how.directed, root);
        for (bfs_form const form : forms) {
          bfs_tree const tree = sheaf::breadth_first(g, root, form);
          expect_levels(g, tree, levels);
          EXPECT_EQ(sheaf::wrong_in(g, root, tree), "") << "seed " << seed;
        }
      }
    });
  }
}

/// Where exchange goes by messages, since most members have nothing for most others.
TEST(breadth_first_in_a_large_team, finds_the_levels_that_a_serial_search_finds) {
  auto const edges = some_edges(2);
  std::uint64_t const root = edges[0].source;
  for (auto const kind : {sheaf::vertex_distribution::block, sheaf::vertex_distribution::degree}) {
    sheaf::run(sheaf_test::job_of(sheaf::transport_kind::sim, 100), [&](team const& world) {
      auto const g = sheaf::build_graph(world, part_of(edges, world), {.directed = false, .distribution = kind});
      for (bfs_form const form : forms) {
        bfs_tree const tree = sheaf::breadth_first(g, root, form);
        expect_levels(g, tree, serial_levels(edges, false, root));
        EXPECT_EQ(sheaf::wrong_in(g, root, tree), "");
      }
    });
  }
}

TEST_P(breadth_first, trees_that_are_wrong_are_found) {
  run(3, [](team const& world) {
    auto const edges = some_edges(2);
    auto const g = sheaf::build_graph(world, part_of(edges, world), {.directed = false});
    std::uint64_t const root = edges[0].source;
    bfs_tree const right = sheaf::breadth_first(g, root);
    auto const text_with = [&](auto change) {
      bfs_tree tree = right;
      vertex at = 0;  // an own vertex of member 1 whose level is at least 2
      while (at < g.local() && (tree.level[at] == bfs_tree::unreached || tree.level[at] < 2)) ++at;
      if (world.rank() == 1) change(tree, at);
      return sheaf::wrong_in(g, root, tree);
    };
    expect_in("leads from", text_with([](bfs_tree& t, vertex v) { t.level[v] += 2; }));
    expect_in("child at level", text_with([](bfs_tree& t, vertex v) { --t.level[v]; }));
    expect_in("its child", text_with([&](bfs_tree& t, vertex v) { t.parent[v] = (t.parent[v] + 1) % g.vertices(); }));
    expect_in("without a level", text_with([](bfs_tree& t, vertex v) { t.parent[v] = bfs_tree::no_parent; }));
    expect_in("not the root", text_with([&](bfs_tree& t, vertex v) { t.parent[v] = g.number(v); }));
    expect_in("vertices, and has", text_with([](bfs_tree& t, vertex) { ++t.reached; }));
    expect_in("edges, and has", text_with([](bfs_tree& t, vertex) { ++t.edges; }));
  });
}

TEST_P(breadth_first, from_different_roots_is_told) {
  run(3, [](team const& world) {
    auto const g = sheaf::build_graph(world, part_of({{0, 1}, {1, 2}}, world));
    expect_in("different roots, from 0 to 2",
              text_of<sheaf::usage_error>([&] { sheaf::breadth_first(g, world.rank()); }));
  });
}

TEST_P(breadth_first, from_a_vertex_that_is_not_there_is_told) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, part_of({{0, 1}, {1, 2}}, world));
    expect_in("no vertex 7; it has 3", text_of<sheaf::usage_error>([&] { sheaf::breadth_first(g, 7); }));
  });
}

}  // namespace
