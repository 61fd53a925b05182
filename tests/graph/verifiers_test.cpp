// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Verifiers find nothing wrong in what algorithms find, and find what is damaged afterwards. Those of searches,
/// components, ranks and cores are tested with these.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/graph/betweenness.hpp"
#include "sheaf/graph/detail/forest_tree.hpp"
#include "sheaf/graph/independent_set.hpp"
#include "sheaf/graph/spanning_forest.hpp"
#include "sheaf/graph/strong_components.hpp"
#include "sheaf/graph/topological_order.hpp"

namespace {

using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;

class verifiers : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(verifiers);

/// Directed and with the edges that end at vertices.
sheaf::graph<> directed_graph(team const& world, std::uint64_t seed) {
  auto some = sheaf_test::make_graph(seed);
  some.how.directed = some.how.in_edges = true;
  return some.build(world);
}
std::uint64_t largest_of(team const& world, std::uint64_t own) {
  return sheaf::all_reduce(world, own, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
}
/// The vertex with the largest id of those that fit, on all members; none: nothing.
template <class Fits>
std::optional<std::uint64_t> last_that(sheaf::graph<> const& g, Fits fits) {
  std::uint64_t found = 0;  // id + 1
  for (vertex v = 0; v < g.local(); ++v) found = fits(v) ? std::max(found, g.id(v) + 1) : found;
  found = largest_of(g.members(), found);
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

TEST_P(verifiers, find_strong_components_that_are_too_large_or_too_small) {
  each([](team const& world, std::uint64_t seed) {
    auto const g = directed_graph(world, seed);
    auto const right = sheaf::strong_components(g);
    EXPECT_EQ(sheaf::wrong_in(g, right), "");

    auto split = right;
    if (auto const one = last_that(g, [&](vertex v) { return right.label[v] != g.id(v); })) {
      if (auto const v = g.find(*one)) split.label[*v] = *one;
      ++split.count;
      EXPECT_NE(sheaf::wrong_in(g, split), "");
    }
    auto joined = right;
    if (auto const one = last_that(g, [&](vertex v) { return right.label[v] == g.id(v); }); one && right.count > 1) {
      auto const other = last_that(g, [&](vertex v) { return right.label[v] == g.id(v) && g.id(v) < *one; });
      for (auto& label : joined.label) label = label == *one ? *other : label;
      --joined.count;
      EXPECT_NE(sheaf::wrong_in(g, joined), "");
    }
    auto more = right;
    ++more.count;
    expect_in(("components, and there are " + std::to_string(right.count)).c_str(), sheaf::wrong_in(g, more));
  });
}

TEST_P(verifiers, find_that_components_are_on_a_cycle) {
  run(3, [](team const& world) {
    std::vector<sheaf::edge<>> mine;
    if (world.rank() == 0) mine = {{0, 1}, {1, 2}, {2, 0}, {2, 3}};
    auto const g = sheaf::build_graph(world, mine, {.in_edges = true});
    sheaf::strongly_connected each_alone{{}, 4, 1};
    for (vertex v = 0; v < g.local(); ++v) each_alone.label.push_back(g.id(v));
    expect_in("of 4 components, 4 are on cycles", sheaf::wrong_in(g, each_alone));
  });
}

TEST_P(verifiers, find_sets_that_are_not_independent_or_could_be_larger) {
  each([](team const& world, std::uint64_t seed) {
    auto const g = directed_graph(world, seed);
    auto const right = sheaf::independent_set(g, seed);
    EXPECT_EQ(sheaf::wrong_in(g, right), "");
    for (std::uint8_t const was : {std::uint8_t{0}, std::uint8_t{1}}) {
      auto wrong = right;
      auto const one = last_that(g, [&](vertex v) { return right.is_in[v] == was; });
      if (!one) continue;
      if (auto const v = g.find(*one)) wrong.is_in[*v] = was == 0 ? 1 : 0;
      wrong.size += was == 0 ? 1 : ~std::uint64_t{0};
      expect_in(was == 0 ? "are both in the set" : "has no neighbour there", sheaf::wrong_in(g, wrong));
    }
  });
}

TEST_P(verifiers, find_neighbours_of_one_colour) {
  each([](team const& world, std::uint64_t seed) {
    auto const g = directed_graph(world, seed);
    auto const right = sheaf::colouring(g, seed);
    EXPECT_EQ(sheaf::wrong_in(g, right), "");
    auto wrong = right;
    if (auto const one = last_that(g, [&](vertex v) { return right.colour[v] != 0; })) {
      if (auto const v = g.find(*one)) wrong.colour[*v] = 0;  // some neighbour has it, else it would have had it
      expect_in("have the same", sheaf::wrong_in(g, wrong));
    }
    wrong = right;
    ++wrong.colours;
    expect_in(("colours, and there are " + std::to_string(right.colours)).c_str(), sheaf::wrong_in(g, wrong));
  });
}

TEST_P(verifiers, find_levels_that_edges_contradict) {
  each([](team const& world, std::uint64_t seed) {
    auto const g = directed_graph(world, seed);
    auto const right = sheaf::topological_order(g);
    EXPECT_EQ(sheaf::wrong_in(g, right), "");
    auto wrong = right;
    if (auto const one = last_that(g, [&](vertex v) { return right.level[v] != 0; })) {
      if (auto const v = g.find(*one)) wrong.level[*v] = 0;
      EXPECT_NE(sheaf::wrong_in(g, wrong), "");
    }
    wrong = right;
    ++wrong.left;
    expect_in(("without a level, and there are " + std::to_string(right.left)).c_str(), sheaf::wrong_in(g, wrong));
  });
}

TEST_P(verifiers, find_forests_that_do_not_span_or_are_heavier) {
  each([](team const& world, std::uint64_t seed) {
    if (seed % 4 != 0) return;  // it builds ten graphs each time
    auto some = sheaf_test::make_graph<int>(seed, [](auto& next) { return static_cast<int>(next() % 7); });
    some.how.directed = false;
    auto const g = some.build(world);
    auto const right = sheaf::spanning_forest(g);
    EXPECT_EQ(sheaf::wrong_in(g, right), "");
    EXPECT_EQ(sheaf::wrong_in(g, right, 0), "") << "by some weights";
    auto wrong = right;
    ++wrong.weight;
    expect_in("the result says that all edges weigh", sheaf::wrong_in(g, wrong));
    if (right.count == 0) return;
    wrong = right;
    if (!wrong.edges.empty() && world.rank() + 1 == world.size()) wrong.edges.pop_back();
    wrong.count = sheaf::all_reduce(world, std::uint64_t{wrong.edges.size()}, std::plus<>{});
    wrong.trees = g.vertices() - wrong.count;
    if (wrong.count != right.count) {
      EXPECT_NE(sheaf::wrong_in(g, wrong), "");
    }
    wrong = right;
    ++wrong.trees;
    expect_in(("trees, and there are " + std::to_string(right.trees)).c_str(), sheaf::wrong_in(g, wrong));
  });
}

TEST_P(verifiers, find_that_a_lighter_edge_was_left_out) {
  run(2, [](team const& world) {
    std::vector<sheaf::edge<int>> mine;
    if (world.rank() == 0) mine = {{0, 1, 5}, {1, 2, 6}, {2, 0, 7}};
    auto const g = sheaf::build_graph(world, mine, {.directed = false});
    sheaf::forest<int> heavier{{}, 2, 1, 12};
    if (world.rank() == 0) heavier.edges = {{0, 1, 5}, {0, 2, 7}};
    expect_in(" of weight 6 is lighter than one of the forest between them", sheaf::wrong_in(g, heavier));
    expect_in("edges of weights below 7 leave 1 components, and those of the forest leave 2",
              sheaf::wrong_in(g, heavier, 0));
    auto other = heavier;
    for (auto& each : other.edges) each.value += 1;
    expect_in("this member has no edge", sheaf::wrong_in(g, other));
  });
}

/// With so many weights that those which are looked at alone would miss it.
TEST_P(verifiers, find_one_heavier_edge_among_many_weights) {
  run(3, [](team const& world) {
    constexpr std::uint64_t n = 100;
    std::vector<sheaf::edge<double>> mine;
    for (std::uint64_t v = world.rank(); v + 1 < n; v += world.size()) mine.push_back({v, v + 1, 0.5 + double(v)});
    if (world.rank() == 0) mine.push_back({40, 42, 42});  // heavier than 40 to 41 and 41 to 42, by half a unit
    auto const g = sheaf::build_graph(world, mine, {.directed = false});
    auto heavier = sheaf::spanning_forest(g);
    EXPECT_EQ(sheaf::wrong_in(g, heavier), "");
    for (auto& each : heavier.edges) {
      if (each.value == 41.5 && g.find(42)) each = {42, 40, 42};
    }
    heavier.weight += 0.5;
    expect_in("of weight 41.500000 is lighter", sheaf::wrong_in(g, heavier));
    EXPECT_EQ(sheaf::wrong_in(g, heavier, 0), "") << "8 weights prove less";
  });
}

TEST_P(verifiers, find_betweenness_that_paths_do_not_have) {
  each([](team const& world, std::uint64_t seed) {
    auto const g = sheaf_test::make_graph(seed).build(world);
    auto const sources = sheaf::sampled_vertices(g, 5, seed);
    auto const right = sheaf::betweenness(g, sources);
    EXPECT_EQ(sheaf::wrong_in(g, sources, right), "");
    auto const pair_at = [&](vertex v) { return std::pair(right[v], g.id(v)); };
    std::pair<double, std::uint64_t> most{-1, 0};
    for (vertex v = 0; v < g.local(); ++v) most = std::max(most, pair_at(v));
    most = sheaf::all_reduce(world, most, [](auto const& a, auto const& b) { return std::max(a, b); });
    if (most.first <= 0) return;
    auto wrong = right;
    if (auto const v = g.find(most.second)) wrong[*v] *= 1.001;
    expect_in("values times random tolls", sheaf::wrong_in(g, sources, wrong));
    wrong = right;  // the same sum, at another vertex
    std::uint64_t const other = sheaf::all_reduce(world, g.local() == 0 ? ~std::uint64_t{0} : g.id(0),
                                                  [](auto a, auto b) { return std::min(a, b); });
    if (other == most.second) return;
    if (auto const v = g.find(most.second)) wrong[*v] -= most.first / 2;
    if (auto const v = g.find(other)) wrong[*v] += most.first / 2;
    expect_in("values times random tolls", sheaf::wrong_in(g, sources, wrong));
    if (auto const v = g.find(most.second)) wrong[*v] = -1;
    EXPECT_NE(sheaf::wrong_in(g, sources, wrong), "");
  });
}

/// A random forest, and the largest key on the path from each vertex to each.
struct known_forest {
  static constexpr std::uint64_t n = 60, none = sheaf::detail::forest_tree::not_joined;

  explicit known_forest(std::mt19937_64& next) : most(n, std::vector<std::uint64_t>(n, none)) {
    for (std::uint64_t v = 0; v < n; ++v) {
      most[v][v] = 0;
      if (v != 0 && next() % 10 != 0) hang(v, next() % v, next() % 8);
    }
  }
  void hang(std::uint64_t v, std::uint64_t below, std::uint64_t key) {
    edges.push_back({v, below, key});
    for (std::uint64_t u = 0; u < v; ++u) {
      if (most[below][u] != none) most[v][u] = most[u][v] = std::max(key, most[below][u]);
    }
  }

  std::vector<sheaf::detail::keyed_edge> edges;
  std::vector<std::vector<std::uint64_t>> most;
};

TEST(forest_trees, know_the_heaviest_edge_of_each_path) {
  std::mt19937_64 next(7);
  for (int round = 0; round < 20; ++round) {
    known_forest const known(next);
    sheaf::detail::forest_tree const tree(known.n, known.edges);
    for (std::uint64_t pair = 0; pair < known.n * known.n; ++pair)
      EXPECT_EQ(tree.heaviest(pair / known.n, pair % known.n), known.most[pair / known.n][pair % known.n]);
  }
}

}  // namespace
