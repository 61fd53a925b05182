// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/strong_components.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "graph/serial.hpp"
#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"
#include "sheaf/graph/graph.hpp"

namespace {

using sheaf::edge;
using sheaf::scc_form;
using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::text_of;
namespace serial = sheaf_test::serial;

class strong_components : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(strong_components);

struct way {
  scc_form how;
  std::optional<std::uint64_t> gathered;
};
way const ways[] = {{scc_form::colouring, {}}, {scc_form::colouring, 0}, {scc_form::pivots, {}}};

void expect_labels(sheaf::graph_shape const& g, sheaf::strongly_connected const& found, std::vector<serial::id> labels,
                   std::vector<serial::id> const& vertices) {
  for (vertex v = 0; v < g.local(); ++v) EXPECT_EQ(found.label[v], labels[g.id(v)]) << "vertex " << g.id(v);
  EXPECT_EQ(found.label.size(), g.local());
  std::map<serial::id, std::uint64_t> size;
  std::uint64_t largest = 0;
  for (serial::id const v : vertices) largest = std::max(largest, ++size[labels[v]]);
  EXPECT_EQ(found.count, size.size());
  EXPECT_EQ(found.largest, largest);
}

TEST_P(strong_components, are_those_that_a_serial_search_finds) {
  each([](team const& world, std::uint64_t seed) {
    auto some = sheaf_test::make_graph(seed);
    some.how.directed = some.how.in_edges = true;
    auto const g = some.build(world);
    auto const labels = serial::strong_components(serial::rows_of(some.edges, some.n, true));
    for (way const& each : ways) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", form " + std::to_string(static_cast<int>(each.how)));
      expect_labels(g, sheaf::strong_components(g, each.how, each.gathered), labels, some.vertices());
    }
  });
}

TEST_P(strong_components, of_an_undirected_graph_are_its_components) {
  run(3, [](team const& world) {
    for (std::uint64_t seed = 2; seed < 12; ++seed) {
      auto some = sheaf_test::make_graph(seed);
      some.how.directed = false;
      auto const labels = serial::components(serial::rows_of(some.edges, some.n, false));
      auto const g = some.build(world);
      for (way const& each : ways)
        expect_labels(g, sheaf::strong_components(g, each.how, each.gathered), labels, some.vertices());
    }
  });
}

/// A cycle through all members, and a path from it.
std::vector<edge<>> lasso(std::uint64_t cycle, std::uint64_t path) {
  std::vector<edge<>> all;
  for (std::uint64_t v = 0; v < cycle; ++v) all.push_back({v, (v + 1) % cycle});
  for (std::uint64_t v = 0; v < path; ++v) all.push_back({v == 0 ? 0 : cycle + v - 1, cycle + v});
  return all;
}

TEST_P(strong_components, a_chain_that_changes_members_at_each_link_is_trimmed_in_one_round) {
  run(3, [](team const& world) {
    auto const mine = world.rank() == 0 ? lasso(0, 200) : std::vector<edge<>>{};
    auto const g =
        sheaf::build_graph(world, mine, {.in_edges = true, .distribution = sheaf::vertex_distribution::cyclic});
    for (way const& each : ways) {
      auto const found = sheaf::strong_components(g, each.how, each.gathered);
      EXPECT_EQ(found.count, 200U);
      EXPECT_EQ(found.iterations, 1U);
      EXPECT_LE(found.messages, 2 * 199U);
    }
  });
}

TEST_P(strong_components, each_member_finds_one_by_its_pivot) {
  run(4, [](team const& world) {
    std::vector<edge<>> const mine = world.rank() == 0 ? lasso(64, 0) : std::vector<edge<>>{};
    auto all = mine;
    for (auto const& each : mine) {
      for (std::uint64_t k = 1; k < 4; ++k) all.push_back({each.source + 64 * k, each.target + 64 * k});
    }
    auto const g = sheaf::build_graph(world, all, {.in_edges = true});
    auto const found = sheaf::strong_components(g, scc_form::pivots);
    EXPECT_EQ(found.count, 4U);
    EXPECT_EQ(found.iterations, 1U);
    EXPECT_EQ(found.messages, 0U);
  });
}

TEST_P(strong_components, need_the_edges_that_end_at_a_vertex) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, lasso(3, 0), {.parallel_edges = true});
    expect_in("in_edges", text_of<sheaf::usage_error>([&] { sheaf::strong_components(g); }));
  });
}

}  // namespace
