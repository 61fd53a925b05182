// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/shortest_paths.hpp"

#include <limits>

#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::path_tree;
using sheaf::paths_form;
using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::make_graph;
using sheaf_test::text_of;
namespace serial = sheaf_test::serial;

class shortest_paths : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(shortest_paths);

/// Of a vertex without edges there may be no trace in the graph: then there is no such root.
template <class W>
void compare(team const& world, std::uint64_t seed, auto value) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  auto const all = make_graph<W>(seed, value);
  auto const vertices = all.vertices();
  if (vertices.empty()) return;
  std::uint64_t const root = vertices[seed * 7 % vertices.size()];
  auto const g = all.build(world);
  using distance = typename path_tree<W>::distance_type;
  std::vector<sheaf::edge<distance>> wide;
  for (auto const& each : all.kept()) wide.push_back({each.source, each.target, static_cast<distance>(each.value)});
  auto const right = serial::distances(serial::weighted_rows_of(wide, all.n, all.how.directed), root);
  for (paths_form const form : {paths_form::delta_stepping, paths_form::messages}) {
    for (double const delta : {0.0, 0.01, 1000.0}) {
      auto const tree = sheaf::shortest_paths(g, root, {delta, form});
      for (vertex v = 0; v < g.local(); ++v) EXPECT_EQ(tree.distance[v], right[g.id(v)]) << "vertex " << g.id(v);
      EXPECT_EQ(sheaf::wrong_in(g, root, tree), "");
    }
  }
}

TEST_P(shortest_paths, are_those_of_a_serial_algorithm) {
  each([](team const& world, std::uint64_t seed) {
    switch (seed / 2 % 4) {
      case 0:
        compare<int>(world, seed, [](auto& next) { return int(next() % 256); });
        break;
      case 1:
        compare<std::uint8_t>(world, seed, [](auto& next) { return std::uint8_t(next() % 3); });
        break;
      case 2:
        compare<double>(world, seed, [](auto& next) { return double(next() % 1024) / 7; });
        break;
      default:
        compare<float>(world, seed, [](auto& next) { return float(next() % 1024) / 512; });
    }
  });
}

TEST_P(shortest_paths, of_weights_far_larger_than_a_bucket) {
  run(3, [](team const& world) {
    std::vector<sheaf::edge<std::uint64_t>> edges;
    constexpr std::uint64_t far = 1'000'000'000'000;
    for (std::uint64_t v = world.rank(); v < 40; v += world.size()) edges.push_back({v, v + 1, far + v});
    auto const g = sheaf::build_graph(world, edges);
    for (paths_form const form : {paths_form::delta_stepping, paths_form::messages}) {
      auto const tree = sheaf::shortest_paths(g, 0, {1, form});
      for (vertex v = 0; v < g.local(); ++v)
        EXPECT_EQ(tree.distance[v], g.id(v) * far + g.id(v) * (g.id(v) - (g.id(v) != 0 ? 1 : 0)) / 2);
    }
  });
}

/// Of weights of 32 bits: sums are looked for in as many bits first.
TEST_P(shortest_paths, that_are_longer_than_32_bits) {
  run(2, [](team const& world) {
    constexpr std::uint64_t far = 4'000'000'000;
    std::vector<sheaf::edge<std::uint32_t>> edges;
    for (std::uint64_t v = world.rank(); v < 5; v += world.size()) edges.push_back({v, v + 1, std::uint32_t{far}});
    auto const g = sheaf::build_graph(world, edges);
    for (paths_form const form : {paths_form::delta_stepping, paths_form::messages}) {
      auto const tree = sheaf::shortest_paths(g, 0, {.form = form});
      for (vertex v = 0; v < g.local(); ++v) EXPECT_EQ(tree.distance[v], g.id(v) * far);
      EXPECT_EQ(tree.reached, 6U);
    }
  });
}

TEST_P(shortest_paths, by_buckets_of_no_width_are_refused) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, std::vector<sheaf::edge<double>>{{0, 1, 2}});
    expect_in("delta is -2", text_of<sheaf::usage_error>([&] { sheaf::shortest_paths(g, 0, {.delta = -2}); }));
    auto const tiny = sheaf::build_graph(world, std::vector<sheaf::edge<double>>{{0, 1, 5e-324}});
    EXPECT_EQ(sheaf::shortest_paths(tiny, 0).reached, 2U);
  });
}

TEST_P(shortest_paths, that_are_wrong_are_found) {
  run(3, [](team const& world) {
    constexpr std::uint64_t root = 0, last = 59;
    std::vector<sheaf::edge<int>> edges;
    for (std::uint64_t v = world.rank(); v < last; v += world.size()) edges.push_back({v, v + 1, int(5 + v)});
    auto const g = sheaf::build_graph(world, edges, {.vertices = last + 2});
    path_tree<int> const right = sheaf::shortest_paths(g, root);
    EXPECT_EQ(sheaf::wrong_in(g, root, right), "");
    auto const text_with = [&](auto change) {
      path_tree<int> tree = right;
      if (auto const at = g.find(last)) change(tree, *at);
      return sheaf::wrong_in(g, root, tree);
    };
    expect_in("gives a shorter path", text_with([](auto& t, vertex v) { ++t.distance[v]; }));
    expect_in("its child, at distance", text_with([](auto& t, vertex v) { --t.distance[v]; }));
    expect_in("its child", text_with([&](auto& t, vertex v) { --t.parent[v]; }));
    expect_in("without a parent", text_with([](auto& t, vertex v) { t.parent[v] = path_tree<int>::no_parent; }));
    expect_in("not the root", text_with([&](auto& t, vertex v) { t.parent[v] = g.number(v); }));
    expect_in("61 vertices, and has 60", text_with([](auto& t, vertex) { t.reached = 61; }));
  });
}

TEST_P(shortest_paths, by_negative_weights_are_refused) {
  run(2, [](team const& world) {
    auto const text = [&](auto weight) {
      std::vector<sheaf::edge<decltype(weight)>> edges{{0, 1, 3}, {1, 2, weight}};
      if (world.rank() != 0) edges.clear();
      auto const g = sheaf::build_graph(world, edges);
      return text_of<sheaf::usage_error>([&] { sheaf::shortest_paths(g, 0); });
    };
    expect_in("the edge from vertex 1 to vertex 2 has the weight -2; shortest_paths needs weights that are 0 or more",
              text(-2));
    expect_in("has the weight nan", text(std::numeric_limits<float>::quiet_NaN()));
  });
}

TEST(buckets, give_vertices_in_order_of_buckets) {
  sheaf::buckets work;
  EXPECT_EQ(work.first(), sheaf::buckets::none);
  for (std::uint64_t const bucket : {5ULL, 3ULL, 5'000'000'000ULL, 2'000ULL, 3ULL})
    work.add(static_cast<vertex>(bucket % 997), bucket);
  std::vector<std::uint64_t> order;
  for (std::uint64_t at = work.first(); at != sheaf::buckets::none; at = work.first()) {
    EXPECT_EQ(work.take(at), static_cast<vertex>(at % 997));
    order.push_back(at);
    if (at == 5) work.add(1006 - 997, 1006);
    if (at == 2'000 && order.size() == 5) work.add(2'000 % 997, 7);  // too late: now
  }
  EXPECT_EQ(order, (std::vector<std::uint64_t>{3, 3, 5, 1006, 2'000, 2'000, 5'000'000'000}));
  EXPECT_EQ(work.take(5'000'000'000), std::nullopt);
}

}  // namespace
