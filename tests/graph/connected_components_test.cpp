// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/connected_components.hpp"

#include <map>

#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::components;
using sheaf::components_form;
using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::make_graph;
namespace serial = sheaf_test::serial;

class connected_components : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(connected_components);

constexpr components_form forms[] = {components_form::hooking, components_form::messages};

/// `vertices` are those of the graph.
void expect_components(sheaf::graph_shape const& g, components const& found, std::vector<serial::id> const& labels,
                       std::vector<serial::id> const& vertices) {
  std::map<serial::id, std::uint64_t> sizes;
  for (serial::id const v : vertices) ++sizes[labels[v]];
  std::uint64_t largest = 0;
  for (auto const& [label, size] : sizes) largest = std::max(largest, size);
  EXPECT_EQ(found.count, sizes.size());
  EXPECT_EQ(found.largest, largest);
  for (vertex v = 0; v < g.local(); ++v) EXPECT_EQ(found.label[v], labels[g.id(v)]) << "vertex " << g.id(v);
}

TEST_P(connected_components, are_those_of_a_serial_algorithm) {
  each([](team const& world, std::uint64_t seed) {
    auto const all = make_graph(seed);
    auto const g = all.build(world);
    auto const labels = serial::components(serial::rows_of(all.kept(), all.n, false));
    for (components_form const form : forms) {
      components const found = sheaf::connected_components(g, form);
      expect_components(g, found, labels, all.vertices());
      EXPECT_EQ(sheaf::wrong_in(g, found), "");
    }
  });
}

/// Where no edge that a member reads leads from its large set to that of another one, but one that it leaves out does.
TEST_P(connected_components, that_meet_in_an_edge_that_sampling_leaves_out) {
  run(2, [](team const& world) {
    constexpr std::uint64_t half = 100;
    std::vector<sheaf::edge<>> edges;
    for (std::uint64_t v = 0; v < half && world.rank() == 0; ++v) {
      for (std::uint64_t const far : {1U, 2U, 3U}) {
        edges.push_back({v, (v + far) % half});
        edges.push_back({half + v, half + (v + far) % half});
      }
    }
    if (world.rank() == 0) edges.push_back({40, 150});
    auto const g = sheaf::build_graph(world, edges, {.directed = false});
    EXPECT_EQ(sheaf::connected_components(g).count, 1U);
  });
}

TEST_P(connected_components, that_are_wrong_are_found) {
  run(3, [](team const& world) {
    std::vector<sheaf::edge<>> edges;
    for (std::uint64_t v = world.rank(); v < 60; v += world.size()) edges.push_back({v, (v + 2) % 60});
    auto const g = sheaf::build_graph(world, edges);
    components const right = sheaf::connected_components(g);
    EXPECT_EQ(sheaf::wrong_in(g, right), "");
    auto const text_with = [&](auto change) {
      components all = right;
      change(all);
      return sheaf::wrong_in(g, all);
    };
    bool const is_second = world.rank() == 1;
    expect_in("an edge leads from vertex", text_with([&](components& c) { c.label[3] = is_second ? 7 : c.label[3]; }));
    expect_in("larger than its id", text_with([](components& c) {
                for (auto& each : c.label) each += 30;
              }));
    expect_in("no path leads from", text_with([](components& c) { std::ranges::fill(c.label, 0U); }));
    expect_in("says that there are 3 components, and there are 2", text_with([](components& c) { ++c.count; }));
    expect_in("31 vertices in the largest one, and there are 30", text_with([](components& c) { ++c.largest; }));
  });
}

}  // namespace
