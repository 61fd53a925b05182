// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/page_rank.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::page_rank_options;
using sheaf::page_ranks;
using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::make_graph;
using sheaf_test::text_of;
namespace serial = sheaf_test::serial;

class page_rank : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(page_rank);

/// By id.
std::map<serial::id, double> serial_ranks(sheaf_test::some_graph<sheaf::no_value> const& all, double damping) {
  auto const ids = all.vertices();
  std::map<serial::id, serial::id> position;
  for (serial::id const id : ids) position.emplace(id, position.size());
  auto edges = all.kept();
  for (auto& each : edges) each = {position.at(each.source), position.at(each.target)};
  auto const ranks = serial::page_rank(serial::rows_of(edges, ids.size(), all.how.directed), damping);
  std::map<serial::id, double> found;
  for (serial::id const id : ids) found[id] = ranks[position.at(id)];
  return found;
}

double difference(sheaf::graph_shape const& g, page_ranks const& found, std::map<serial::id, double> const& right) {
  double sum = 0;
  for (vertex v = 0; v < g.local(); ++v) sum += std::abs(found.rank[v] - right.at(g.id(v)));
  return sheaf::all_reduce(g.members(), sum, std::plus<>{});
}

TEST_P(page_rank, is_that_of_a_serial_algorithm) {
  each([](team const& world, std::uint64_t seed) {
    auto all = make_graph(seed);
    all.how.in_edges = true;
    auto const g = all.build(world);
    for (page_rank_options const& how : {page_rank_options{}, page_rank_options{0.5, 1e-10}}) {
      auto const right = serial_ranks(all, how.damping);
      page_ranks const found = sheaf::page_rank(g, how);
      EXPECT_LT(difference(g, found, right), 2 * how.tolerance / (1 - how.damping));
      EXPECT_EQ(sheaf::wrong_in(g, found, how), "");
      EXPECT_LE(found.change, how.tolerance);
    }
  });
}

/// A million equal terms in one sum, in float.
TEST_P(page_rank, of_a_star_is_right) {
  run(2, [](team const& world) {
    constexpr std::uint64_t n = 1U << 20U;
    std::vector<sheaf::edge<>> edges;
    for (std::uint64_t v = 1 + world.rank(); v < n; v += world.size()) edges.push_back({v, 0});
    auto const g = sheaf::build_graph(world, edges, {.in_edges = true});
    page_ranks const found = sheaf::page_rank(g);
    EXPECT_LT(found.iterations, 100U);
    EXPECT_EQ(sheaf::wrong_in(g, found), "");
  });
}

TEST_P(page_rank, that_is_wrong_is_found) {
  run(3, [](team const& world) {
    auto const g = make_graph(10).build(world);
    page_ranks const right = sheaf::page_rank(g);
    EXPECT_EQ(sheaf::wrong_in(g, right), "");
    page_ranks wrong = right;
    if (world.rank() == 1) wrong.rank[0] += 0.01;
    expect_in("the sum of all ranks is 1.01", sheaf::wrong_in(g, wrong));
    if (world.rank() == 1) wrong.rank[1] -= 0.01;
    expect_in("times the tolerance", sheaf::wrong_in(g, wrong));
  });
}

TEST_P(page_rank, stops_after_so_many_iterations) {
  run(2, [](team const& world) {
    auto const g = make_graph(10).build(world);
    EXPECT_EQ(sheaf::page_rank(g, {.tolerance = 0, .most_iterations = 3}).iterations, 3U);
    page_ranks const none = sheaf::page_rank(g, {.most_iterations = 0});
    EXPECT_EQ(none.iterations, 0U);
    double const own = std::accumulate(none.rank.begin(), none.rank.end(), 0.0);
    EXPECT_NEAR(sheaf::all_reduce(world, own, std::plus<>{}), 1, 1e-12);
  });
}

TEST_P(page_rank, without_what_it_needs_is_told) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, std::vector<sheaf::edge<>>{{0, 1}});
    expect_in("graph_options::in_edges", text_of<sheaf::usage_error>([&] { sheaf::page_rank(g); }));
    expect_in("tolerance is -1", text_of<sheaf::usage_error>([&] { sheaf::page_rank(g, {.tolerance = -1}); }));
    expect_in("damping is 1.0", text_of<sheaf::usage_error>([&] { sheaf::page_rank(g, {.damping = 1}); }));
  });
}

}  // namespace
