// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/spanning_forest.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "graph/serial.hpp"
#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::edge;
using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;
namespace serial = sheaf_test::serial;

class spanning_forest : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(spanning_forest);

template <class W>
std::vector<edge<W>> sorted(std::vector<edge<W>> all) {
  for (auto& each : all) each = {std::min(each.source, each.target), std::max(each.source, each.target), each.value};
  std::ranges::sort(all, {}, [](auto const& each) { return std::tuple(each.value, each.source, each.target); });
  return all;
}

/// Kruskal's, with the order of edges that the header promises.
template <class W>
std::vector<edge<W>> right_edges(std::vector<edge<W>> const& edges, std::uint64_t n) {
  serial::disjoint_sets sets(n);
  std::vector<edge<W>> all;
  for (edge<W> const& each : sorted(edges)) {
    if (sets.unite(each.source, each.target)) all.push_back(each);
  }
  return all;
}

template <class W, class Value>
void expect_forest(team const& world, std::uint64_t seed, Value value) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  auto some = sheaf_test::make_graph<W>(seed, value);
  some.how.directed = false;
  auto const g = some.build(world);
  sheaf::forest<W> const found = sheaf::spanning_forest(g);
  std::vector<edge<W>> const right = right_edges(some.edges, some.n);
  EXPECT_EQ(sorted(sheaf::all_gather(world, std::span<edge<W> const>(found.edges))), right);
  serial::forest<W> const sums = serial::minimum_forest(some.edges, some.n);
  EXPECT_NEAR(static_cast<double>(found.weight), static_cast<double>(sums.weight), 1e-4);
  EXPECT_EQ(found.count, sums.edges);
  EXPECT_EQ(found.trees, some.vertices().size() - sums.edges);
}

TEST_P(spanning_forest, is_the_one_that_a_serial_algorithm_finds) {
  each([](team const& world, std::uint64_t seed) {
    expect_forest<int>(world, seed, [](auto& next) { return static_cast<int>(next() % 20) - 10; });
    if (seed % 3 == 0)
      expect_forest<float>(world, seed, [](auto& next) { return static_cast<float>(next() % 1000) / 64 - 5; });
    if (seed % 3 == 1) expect_forest<std::uint64_t>(world, seed, [](auto& next) { return std::uint64_t{next() % 2}; });
  });
}

TEST(forest_keys, keep_the_order_of_weights) {
  double const reals[] = {-1e300, -2.0, -0.5, 0.0, 1e-300, 0.5, 3.0, 1e300};
  for (std::size_t k = 0; k + 1 < std::size(reals); ++k)
    EXPECT_LT(sheaf::detail::ordered_key(reals[k]), sheaf::detail::ordered_key(reals[k + 1]));
  EXPECT_EQ(sheaf::detail::ordered_key(-0.0F), sheaf::detail::ordered_key(0.0F));
  EXPECT_LT(sheaf::detail::ordered_key(-3), sheaf::detail::ordered_key(2));
  EXPECT_LT(sheaf::detail::ordered_key(2U), sheaf::detail::ordered_key(~0U));
}

TEST_P(spanning_forest, has_any_weights_but_nan) {
  run(2, [](team const& world) {
    using limits = std::numeric_limits<double>;
    auto const made = [&](double weight) {
      std::vector<sheaf::edge<double>> edges{{0, 1, weight}, {1, 2, weight}, {0, 2, weight}};
      if (world.rank() != 0) edges.clear();
      return sheaf::build_graph(world, edges, {.directed = false});
    };
    for (double const weight : {limits::infinity(), -limits::infinity(), 1e308}) {
      auto const g = made(weight);
      EXPECT_EQ(sheaf::wrong_in(g, sheaf::spanning_forest(g)), "") << weight;
    }
    auto const g = made(limits::quiet_NaN());
    expect_in("some are NaN", text_of<sheaf::usage_error>([&] { sheaf::spanning_forest(g); }));
  });
}

TEST_P(spanning_forest, of_a_directed_graph_is_told_how) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph<int>(world, {{0, 1, 5}});
    expect_in("directed = false", text_of<sheaf::usage_error>([&] { sheaf::spanning_forest(g); }));
  });
}

}  // namespace
