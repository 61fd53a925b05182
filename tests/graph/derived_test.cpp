// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/derived.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::text_of;

/// Ends and value of an edge; of an undirected graph the smaller end first.
using entry = std::tuple<std::uint64_t, std::uint64_t, int>;

entry entry_of(sheaf::edge<int> const& one, bool directed) {
  auto const [a, b] = std::minmax(one.source, one.target);
  return directed ? entry{one.source, one.target, one.value} : entry{a, b, one.value};
}

/// The edges of all members, at each.
std::vector<entry> all_edges(sheaf::graph<int> const& g) {
  std::vector<entry> all;
  for (auto const& part : sheaf::all_gather(g.members(), sheaf::edges_of(g))) {
    for (auto const& one : part) all.push_back(entry_of(one, g.is_directed()));
  }
  std::ranges::sort(all);
  return all;
}
std::vector<std::uint64_t> all_ids(sheaf::graph<int> const& g) {
  std::vector<std::uint64_t> own, all;
  for (vertex v = 0; v < g.local(); ++v) own.push_back(g.id(v));
  for (auto const& part : sheaf::all_gather(g.members(), own)) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all);
  return all;
}
/// Edges that end at own vertices, as all_edges.
std::vector<entry> all_in_edges(sheaf::graph<int> const& g) {
  std::vector<sheaf::edge<int>> own;
  for (vertex v = 0; v < g.local(); ++v) {
    for (std::uint64_t k = g.in().first[v]; k < g.in().first[v + 1]; ++k)
      own.push_back({g.id(g.in().targets[k]), g.id(v), g.in_value(k)});
  }
  std::vector<entry> all;
  for (auto const& part : sheaf::all_gather(g.members(), own)) {
    for (auto const& one : part) all.push_back(entry_of(one, true));
  }
  std::ranges::sort(all);
  return all;
}

class derived_graphs : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(derived_graphs);

sheaf_test::some_graph<int> graph_with_values(std::uint64_t seed) {
  return sheaf_test::make_graph<int>(seed, [](auto& next) { return static_cast<int>(next() % 100); });
}
sheaf::graph<int> graph_of(team const& world, std::uint64_t seed) { return graph_with_values(seed).build(world); }

TEST_P(derived_graphs, give_each_edge_once) {
  each([](team const& world, std::uint64_t seed) {
    auto const source = graph_with_values(seed);
    auto const g = source.build(world);
    EXPECT_EQ(all_edges(g).size(), g.edges());
    auto how = source.how;
    how.loops = how.parallel_edges = true;
    auto const again = sheaf::build_graph(world, sheaf::edges_of(g), how);
    EXPECT_EQ(all_edges(again), all_edges(g));
  });
}

TEST_P(derived_graphs, are_turned_round) {
  each([](team const& world, std::uint64_t seed) {
    auto const g = graph_of(world, seed);
    auto const turned = sheaf::transposed(g);
    std::vector<entry> expected = all_edges(g);
    if (g.is_directed()) {
      for (auto& [from, to, value] : expected) std::swap(from, to);
      std::ranges::sort(expected);
    }
    EXPECT_EQ(all_edges(turned), expected);
    EXPECT_EQ(turned.has_in(), g.has_in());
    if (g.is_directed() && g.has_in()) {
      EXPECT_EQ(all_in_edges(turned), expected);
    }
    ASSERT_EQ(turned.local(), g.local());
    for (vertex v = 0; v < g.local(); ++v) EXPECT_EQ(turned.id(v), g.id(v));
  });
}

TEST_P(derived_graphs, keep_what_is_asked_for) {
  each([](team const& world, std::uint64_t seed) {
    auto const g = graph_of(world, seed);
    auto const stays = [](std::uint64_t id) { return id % 3 != 1; };
    auto const part = sheaf::sub_graph(g, [&](vertex v) { return stays(g.id(v)); });
    std::vector<entry> expected = all_edges(g);
    std::erase_if(expected, [&](entry const& one) { return !stays(std::get<0>(one)) || !stays(std::get<1>(one)); });
    EXPECT_EQ(all_edges(part), expected);
    std::vector<std::uint64_t> ids = all_ids(g);
    std::erase_if(ids, [&](std::uint64_t id) { return !stays(id); });
    EXPECT_EQ(all_ids(part), ids);
    EXPECT_EQ(part.vertices(), ids.size());
    for (vertex v = 0; v < part.local(); ++v) {
      EXPECT_TRUE(g.find(part.id(v))) << "it has another owner";
      EXPECT_EQ(part.find(part.id(v)), v);
    }
    auto const again = sheaf::sub_graph(part, [&](vertex v) { return part.id(v) % 2 == 0; });
    std::erase_if(expected, [](entry const& one) { return std::get<0>(one) % 2 != 0 || std::get<1>(one) % 2 != 0; });
    EXPECT_EQ(all_edges(again), expected);
  });
}

TEST_P(derived_graphs, have_other_ids) {
  each([](team const& world, std::uint64_t seed) {
    auto const g = graph_of(world, seed);
    std::uint64_t const n = std::max<std::uint64_t>(1, g.vertices());
    auto const turned = [&](std::uint64_t number) { return n - 1 - number; };
    std::vector<std::uint64_t> ids;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (vertex v = 0; v < g.local(); ++v) {
      ids.push_back(turned(g.number(v)));
      pairs.emplace_back(g.id(v), ids.back());
    }
    std::map<std::uint64_t, std::uint64_t> to;
    for (auto const& part : sheaf::all_gather(world, pairs)) to.insert(part.begin(), part.end());
    std::vector<entry> expected;
    for (auto const& [from, target, value] : all_edges(g))
      expected.push_back(entry_of({to.at(from), to.at(target), value}, g.is_directed()));
    std::ranges::sort(expected);
    for (auto const kind :
         {sheaf::vertex_distribution::block, sheaf::vertex_distribution::cyclic, sheaf::vertex_distribution::degree})
      EXPECT_EQ(all_edges(sheaf::permuted(g, ids, {.distribution = kind})), expected);
  });
}

TEST_P(derived_graphs, have_an_id_for_each_vertex) {
  run(2, [](team const& world) {
    std::vector<sheaf::edge<>> mine;
    if (world.rank() == 0) mine = {{0, 1}, {2, 3}};
    auto const g = sheaf::build_graph(world, mine);
    expect_in(
        "3 different ids for 4 vertices", text_of<sheaf::usage_error>([&] {
          sheaf::permuted(g, world.rank() == 0 ? std::vector<std::uint64_t>{0, 1} : std::vector<std::uint64_t>{1, 2});
        }));
    expect_in(
        "got 1 ids at member 1, which owns 2", text_of<sheaf::usage_error>([&] {
          sheaf::permuted(g, world.rank() == 0 ? std::vector<std::uint64_t>{0, 1} : std::vector<std::uint64_t>{3});
        }));
    auto const alone = sheaf::build_graph(world, mine, {.vertices = 6});  // 4 and 5, which member 1 owns
    std::vector<std::uint64_t> ids{0, 1, 2};
    if (world.rank() == 1) ids = {3, 4, 9};
    expect_in("names vertex 9, but there are 6", text_of<sheaf::usage_error>([&] { sheaf::permuted(alone, ids); }));
  });
}

}  // namespace
