// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/independent_set.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "graph/serial.hpp"
#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/graph/detail/random_words.hpp"
#include "sheaf/graph/graph.hpp"

namespace {

using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::text_of;
namespace serial = sheaf_test::serial;

class independent_set : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(independent_set);

/// Vertices one by one in the order of their random words: what both algorithms promise.
struct one_by_one {
  std::vector<std::uint32_t> is_in, colour;

  one_by_one(serial::rows const& rows, std::uint64_t seed) : is_in(rows.size(), 0), colour(rows.size(), none) {
    std::vector<serial::id> order(rows.size());
    std::iota(order.begin(), order.end(), serial::id{0});
    std::ranges::sort(order, {}, [&](serial::id v) { return sheaf::detail::random_words(seed, v).word(0); });
    for (serial::id const v : order) {
      is_in[v] = std::ranges::none_of(rows[v], [&](serial::id to) { return is_in[to] == 1; }) ? 1 : 0;
      std::set<std::uint32_t> taken;
      for (serial::id const to : rows[v]) taken.insert(colour[to]);
      for (colour[v] = 0; taken.contains(colour[v]);) ++colour[v];
    }
  }
  static constexpr std::uint32_t none = ~std::uint32_t{0};
};

/// As directed or undirected as the seed says, with the edges that end at vertices.
sheaf_test::some_graph<sheaf::no_value> graph_of(std::uint64_t seed) {
  auto some = sheaf_test::make_graph(seed);
  some.how.in_edges = true;
  return some;
}

TEST_P(independent_set, and_colours_are_those_that_vertices_find_one_by_one) {
  each([](team const& world, std::uint64_t seed) {
    auto const some = graph_of(seed);
    auto const g = some.build(world);
    one_by_one const right(serial::rows_of(some.edges, some.n, false), seed);
    sheaf::vertex_set const set = sheaf::independent_set(g, seed);
    sheaf::coloured_vertices const colours = sheaf::colouring(g, seed);
    std::uint64_t size = 0;
    std::uint32_t most = 0;
    for (serial::id const v : some.vertices()) {
      size += right.is_in[v];
      most = std::max(most, right.colour[v] + 1);
    }
    EXPECT_EQ(set.size, size);
    EXPECT_EQ(colours.colours, most);
    for (vertex v = 0; v < g.local(); ++v) {
      EXPECT_EQ(set.is_in[v], right.is_in[g.id(v)]);
      EXPECT_EQ(colours.colour[v], right.colour[g.id(v)]);
    }
  });
}

/// The values of all vertices, by id.
template <class T>
std::vector<T> by_id(sheaf::graph_shape const& g, std::vector<T> const& own, std::uint64_t n, T without) {
  std::vector<std::pair<std::uint64_t, T>> pairs;
  for (vertex v = 0; v < g.local(); ++v) pairs.emplace_back(g.id(v), own[v]);
  std::vector<T> all(n, without);
  for (auto const& each : sheaf::all_gather(g.members(), pairs)) {
    for (auto const& [id, value] : each) all[id] = value;
  }
  return all;
}

TEST_P(independent_set, is_maximal_and_neighbours_differ_in_colour) {
  run(3, [](team const& world) {
    for (std::uint64_t seed = 2; seed < 14; ++seed) {
      auto const some = graph_of(seed);
      auto const g = some.build(world);
      serial::rows const rows = serial::rows_of(some.edges, some.n, false);
      auto const set = by_id<std::uint8_t>(g, sheaf::independent_set(g, 5).is_in, some.n, 1);
      EXPECT_EQ(serial::wrong_independent_set(rows, set), "");
      auto const colours = sheaf::colouring(g, 5);
      EXPECT_EQ(serial::wrong_colouring(rows, by_id<std::uint32_t>(g, colours.colour, some.n, 0), colours.colours), "");
    }
  });
}

TEST_P(independent_set, of_a_directed_graph_needs_edges_in_both_directions) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, std::vector<sheaf::edge<>>{{0, 1}, {1, 2}});
    expect_in("in_edges", text_of<sheaf::usage_error>([&] { sheaf::independent_set(g); }));
    expect_in("in_edges", text_of<sheaf::usage_error>([&] { sheaf::colouring(g); }));
  });
}

}  // namespace
