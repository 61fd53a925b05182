// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/exploration.hpp"

#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::exploration_form;
using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::make_graph;
using sheaf_test::text_of;
namespace serial = sheaf_test::serial;

class exploration : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(exploration);

constexpr exploration_form forms[] = {exploration_form::nested, exploration_form::queue};

std::vector<bool> serial_exploration(serial::rows const& rows, serial::id root) {
  std::vector<bool> reached(rows.size(), false);
  std::vector<serial::id> stack{root};
  reached[root] = true;
  while (!stack.empty()) {
    serial::id const v = stack.back();
    stack.pop_back();
    for (serial::id const to : rows[v]) {
      if (!reached[to]) stack.push_back(to);
      reached[to] = true;
    }
  }
  return reached;
}

TEST_P(exploration, reaches_what_a_serial_one_reaches) {
  each([](team const& world, std::uint64_t seed) {
    auto const all = make_graph(seed);
    auto const vertices = all.vertices();
    if (vertices.empty()) return;
    auto const g = all.build(world);
    serial::id const root = vertices[seed * 7 % vertices.size()];
    auto const right = serial_exploration(serial::rows_of(all.kept(), all.n, all.how.directed), root);
    for (exploration_form const form : forms) {
      auto const found = sheaf::explore(g, root, form);
      for (vertex v = 0; v < g.local(); ++v) EXPECT_EQ(found.reached[v], right[g.id(v)]) << "vertex " << g.id(v);
      EXPECT_EQ(found.vertices, static_cast<std::uint64_t>(std::ranges::count(right, true)));
      EXPECT_EQ(sheaf::wrong_in(g, root, found), "");
    }
  });
}

TEST_P(exploration, that_is_wrong_is_found) {
  run(3, [](team const& world) {
    std::vector<sheaf::edge<>> edges{{0, 1}, {1, 5}, {5, 3}, {4, 2}};
    if (world.rank() != 0) edges.clear();
    auto const g = sheaf::build_graph(world, edges, {});
    auto const right = sheaf::explore(g, 0);
    auto const text_with = [&](std::uint64_t id, bool reached) {
      auto wrong = right;
      if (auto const v = g.find(id)) wrong.reached[*v] = reached;
      return sheaf::wrong_in(g, 0, wrong);
    };
    EXPECT_EQ(sheaf::wrong_in(g, 0, right), "");
    expect_in("vertex 5 is not reached", text_with(5, false));
    expect_in("vertex 2 is reached, and no path leads there", text_with(2, true));
    auto more = right;
    ++more.vertices;
    expect_in("there are 5 reached vertices, and there are 4", sheaf::wrong_in(g, 0, more));
  });
}

TEST_P(exploration, of_a_missing_root_is_refused) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, std::vector<sheaf::edge<>>{{0, 1}}, {});
    expect_in("the graph has no vertex 9; it has 2 vertices",
              text_of<sheaf::usage_error>([&] { sheaf::explore(g, 9); }));
  });
}

}  // namespace
