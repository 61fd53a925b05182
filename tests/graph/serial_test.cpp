// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/serial.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace {

namespace serial = sheaf_test::serial;
using serial::id;
using serial::rows;
using sheaf::edge;

using edges = std::vector<edge<>>;
using weighted = std::vector<edge<int>>;
using ids = std::vector<id>;

/// Two triangles that share vertex 2, a tail 4-5, and vertex 6 alone.
edges const bow_tie{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 2}, {4, 5}};
rows const tie = serial::rows_of(bow_tie, 7, false), directed_tie = serial::rows_of(bow_tie, 7, true);

rows random_rows(std::uint64_t seed, bool directed) {
  std::mt19937_64 next(seed);
  id const n = 1 + next() % 12, count = next() % (3 * n);
  edges all;
  for (id i = 0; i < count; ++i) all.push_back({next() % n, next() % n});
  return serial::rows_of(all, n, directed);
}

/// paths[u][v]: how many shortest paths there are, with their length, by powers of the matrix.
struct all_pairs {
  explicit all_pairs(rows const& out) : length(out.size(), std::vector<std::uint32_t>(out.size(), serial::unreached)) {
    paths.assign(out.size(), std::vector<double>(out.size(), 0.0));
    for (id v = 0; v < out.size(); ++v) from(out, v);
  }
  void from(rows const& out, id source) {
    std::vector<double> walks(out.size(), 0.0);
    walks[source] = 1;
    for (std::uint32_t step = 0; step < out.size(); ++step) {
      std::vector<double> longer(out.size(), 0.0);
      for (id v = 0; v < out.size(); ++v) {
        if (walks[v] > 0 && length[source][v] == serial::unreached) {
          length[source][v] = step;
          paths[source][v] = walks[v];
        }
        for (id const to : out[v]) longer[to] += walks[v];
      }
      walks = longer;
    }
  }
  std::vector<std::vector<std::uint32_t>> length;
  std::vector<std::vector<double>> paths;
};

TEST(serial_graphs, have_rows_of_their_edges) {
  EXPECT_EQ(directed_tie, (rows{{1}, {2}, {0, 3}, {4}, {2, 5}, {}, {}}));
  EXPECT_EQ(serial::rows_of(edges{{0, 1}, {1, 1}, {0, 1}}, 2, false), (rows{{1, 1}, {0, 1, 0}}));
  EXPECT_EQ(serial::reversed(directed_tie), (rows{{2}, {0}, {1, 4}, {2}, {3}, {4}, {}}));
  weighted const doubles{{1, 0, 5}, {0, 1, 3}, {1, 1, 0}, {0, 1, 4}};
  EXPECT_EQ(serial::simple(doubles, true), (weighted{{0, 1, 3}, {1, 0, 5}}));
  EXPECT_EQ(serial::simple(doubles, false), (weighted{{0, 1, 3}}));
  EXPECT_EQ(serial::simple(edges{{1, 0}, {1, 2}, {2, 1}}, false), (edges{{0, 1}, {1, 2}}));
}

TEST(serial_graphs, have_levels_and_distances) {
  constexpr std::uint32_t none = serial::unreached;
  EXPECT_EQ(serial::levels(tie, 0), (std::vector<std::uint32_t>{0, 1, 1, 2, 2, 3, none}));
  EXPECT_EQ(serial::levels(directed_tie, 5), (std::vector<std::uint32_t>{none, none, none, none, none, 0, none}));
  weighted const detour{{0, 1, 10}, {0, 2, 1}, {2, 3, 1}, {3, 1, 1}};
  EXPECT_EQ(serial::distances(serial::weighted_rows_of(detour, 5, true), 0),
            (std::vector<int>{0, 3, 1, 2, serial::far<int>}));
  EXPECT_EQ(serial::distances(serial::weighted_rows_of(detour, 5, false), 1),
            (std::vector<int>{3, 0, 2, 1, serial::far<int>}));
  std::vector<edge<double>> const halves{{0, 1, 0.5}};
  EXPECT_EQ(serial::distances(serial::weighted_rows_of(halves, 3, true), 0)[2], HUGE_VAL);
}

TEST(serial_graphs, have_components) {
  EXPECT_EQ(serial::components(tie), (ids{0, 0, 0, 0, 0, 0, 6}));
  EXPECT_EQ(serial::strong_components(directed_tie), (ids{0, 0, 0, 0, 0, 5, 6}));
  rows const chain = serial::rows_of(edges{{1, 0}, {3, 2}, {2, 3}, {0, 2}, {4, 4}}, 5, true);
  EXPECT_EQ(serial::strong_components(chain), (ids{0, 1, 2, 2, 4}));
  EXPECT_EQ(serial::groups_of_several(serial::strong_components(chain)), 1u) << "a loop does not make a group";
  EXPECT_EQ(serial::by_smallest(ids{7, 3, 7, 3, 1}), (ids{0, 1, 0, 1, 4}));
  EXPECT_EQ(serial::sizes(ids{7, 3, 7}), (std::map<id, id>{{3, 1}, {7, 2}}));
}

TEST(serial_graphs, have_the_components_that_all_pairs_of_paths_give) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    rows const out = random_rows(seed, true), both = random_rows(seed, false);
    all_pairs const there(out), around(both);
    auto const strong = serial::strong_components(out), weak = serial::components(out);
    for (id u = 0; u < out.size(); ++u) {
      for (id v = 0; v < out.size(); ++v) {
        bool const back_and_forth = there.paths[u][v] > 0 && there.paths[v][u] > 0;
        EXPECT_EQ(strong[u] == strong[v], back_and_forth) << "seed " << seed;
        EXPECT_EQ(weak[u] == weak[v], around.paths[u][v] > 0) << "seed " << seed;
        EXPECT_LE(std::max(strong[u], weak[u]), u) << "seed " << seed;
      }
      EXPECT_EQ(serial::levels(out, u), there.length[u]) << "seed " << seed;
    }
  }
}

TEST(serial_graphs, have_ranks) {
  for (double const each : serial::page_rank(serial::rows_of(edges{{0, 1}, {1, 2}, {2, 0}}, 3, true)))
    EXPECT_NEAR(each, 1.0 / 3, 1e-12);
  // One edge, a = rank of 0, b of 1: a = 0.15/2 + 0.85 b/2, a + b = 1.
  auto const two = serial::page_rank(serial::rows_of(edges{{0, 1}}, 2, true));
  EXPECT_NEAR(two[0], 0.5 / 1.425, 1e-11);
  EXPECT_NEAR(two[1], 1 - 0.5 / 1.425, 1e-11);
  EXPECT_NEAR(serial::page_rank(serial::rows_of(edges{{0, 1}}, 2, true), 0.85, 0, 1)[1], 0.5 * 1.425, 1e-12);
  auto const tie_ranks = serial::page_rank(directed_tie);
  EXPECT_NEAR(std::accumulate(tie_ranks.begin(), tie_ranks.end(), 0.0), 1, 1e-12);
}

TEST(serial_graphs, have_triangles_and_cores) {
  EXPECT_EQ(serial::triangles(tie), 2u);
  EXPECT_EQ(serial::triangles(serial::rows_of(edges{{0, 1}, {1, 2}, {2, 0}, {0, 2}, {1, 1}}, 3, false)), 1u);
  EXPECT_EQ(serial::core_numbers(tie), (std::vector<std::uint32_t>{2, 2, 2, 2, 2, 1, 0}));
  edges complete;
  for (id u = 0; u < 6; ++u) {
    for (id v = 0; v < u; ++v) complete.push_back({u, v});
  }
  complete.push_back({0, 6});
  rows const all = serial::rows_of(complete, 7, false);
  EXPECT_EQ(serial::triangles(all), 20u);
  EXPECT_EQ(serial::core_numbers(all), (std::vector<std::uint32_t>{5, 5, 5, 5, 5, 5, 1}));
}

TEST(serial_graphs, have_betweenness) {
  rows const path = serial::rows_of(edges{{0, 1}, {1, 2}, {2, 3}}, 4, false);
  EXPECT_EQ(serial::betweenness(path), (std::vector<double>{0, 4, 4, 0}));
  EXPECT_EQ(serial::betweenness(path, {0}), (std::vector<double>{0, 2, 1, 0}));
  rows const square = serial::rows_of(edges{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, 4, false);
  EXPECT_EQ(serial::betweenness(square), (std::vector<double>{1, 1, 1, 1}));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    rows const out = serial::tidy(random_rows(seed, seed % 2 == 0));
    all_pairs const all(out);
    auto const found = serial::betweenness(out);
    for (id v = 0; v < out.size(); ++v) {
      double expected = 0;
      for (id pair = 0; pair < out.size() * out.size(); ++pair) {
        id const s = pair / out.size(), t = pair % out.size();
        bool const on_path = s != t && s != v && t != v && all.paths[s][v] > 0 && all.paths[v][t] > 0 &&
                             all.length[s][v] + all.length[v][t] == all.length[s][t];
        if (on_path) expected += all.paths[s][v] * all.paths[v][t] / all.paths[s][t];
      }
      EXPECT_NEAR(found[v], expected, 1e-9) << "seed " << seed;
    }
  }
}

TEST(serial_graphs, have_minimum_forests) {
  weighted const square{{0, 1, 1}, {1, 2, 2}, {2, 3, 3}, {3, 0, 4}, {0, 2, 1}, {4, 5, 7}, {5, 4, 6}};
  auto const found = serial::minimum_forest(square, 7);
  EXPECT_EQ(found.weight, 1 + 1 + 3 + 6);
  EXPECT_EQ(found.edges, 4u);
}

TEST(serial_graphs, say_what_is_wrong_with_a_set_a_colouring_and_an_order) {
  using marks = std::vector<bool>;
  EXPECT_EQ(serial::wrong_independent_set(tie, marks{true, false, false, true, false, true, true}), "");
  EXPECT_EQ(serial::wrong_independent_set(tie, marks{false, false, true, false, false, true, true}), "");
  EXPECT_EQ(serial::wrong_independent_set(tie, marks{true, true, false, true, false, true, true}),
            "neighbours 0 and 1");
  EXPECT_EQ(serial::wrong_independent_set(tie, marks{true, false, false, true, false, true, false}),
            "vertex 6 could be added");
  EXPECT_EQ(serial::wrong_independent_set(tie, marks{true}), "a mark is missing");

  using colours = std::vector<int>;
  EXPECT_EQ(serial::wrong_colouring(tie, colours{0, 1, 2, 0, 1, 0, 0}, 3), "");
  EXPECT_EQ(serial::wrong_colouring(tie, colours{0, 1, 2, 0, 1, 1, 0}, 3), "neighbours 4 and 5 have one colour");
  EXPECT_EQ(serial::wrong_colouring(tie, colours{0, 1, 2, 0, 1, 0, 3}, 3), "the colour of vertex 6");

  rows const diamond = serial::rows_of(edges{{3, 1}, {3, 2}, {1, 0}, {2, 0}}, 4, true);
  EXPECT_EQ(serial::wrong_topological_order(diamond, {3, 2, 1, 0}), "");
  EXPECT_EQ(serial::wrong_topological_order(diamond, {3, 2, 0, 1}), "the edge 1 to 0");
  EXPECT_EQ(serial::wrong_topological_order(diamond, {3, 2, 1}), "vertex 0 is missing");
  EXPECT_EQ(serial::wrong_topological_order(diamond, {3, 3, 1, 0}), "entry 1 is no vertex, or one that came before");
}

}  // namespace
