// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/core_numbers.hpp"

#include "graph/some_graphs.hpp"
#include "rmi/jobs.hpp"

namespace {

using sheaf::cores;
using sheaf::team;
using sheaf::vertex;
using sheaf_test::expect_in;
using sheaf_test::make_graph;
using sheaf_test::text_of;
namespace serial = sheaf_test::serial;

class core_numbers : public sheaf_test::over_graphs {};
SHEAF_OVER_ALL(core_numbers);

TEST_P(core_numbers, are_those_of_a_serial_algorithm) {
  each([](team const& world, std::uint64_t seed) {
    auto all = make_graph(seed);
    all.how.directed = all.how.parallel_edges = false;
    auto const g = all.build(world);
    auto const right = serial::core_numbers(serial::rows_of(all.kept(), all.n, false));
    cores const found = sheaf::core_numbers(g);
    for (vertex v = 0; v < g.local(); ++v) EXPECT_EQ(found.number[v], right[g.id(v)]) << "vertex " << g.id(v);
    EXPECT_EQ(found.largest, right.empty() ? 0 : std::ranges::max(right));
    EXPECT_EQ(sheaf::wrong_in(g, found), "");
  });
}

TEST_P(core_numbers, count_parallel_edges_and_no_loops) {
  run(2, [](team const& world) {
    std::vector<sheaf::edge<>> edges{{0, 1}, {0, 1}, {0, 1}, {1, 2}, {2, 2}, {2, 2}};
    if (world.rank() != 0) edges.clear();
    auto const g = sheaf::build_graph(world, edges, {.directed = false, .loops = true, .parallel_edges = true});
    cores const found = sheaf::core_numbers(g);
    for (vertex v = 0; v < g.local(); ++v) EXPECT_EQ(found.number[v], g.id(v) == 2 ? 1U : 3U);
    EXPECT_EQ(sheaf::wrong_in(g, found), "");
  });
}

TEST_P(core_numbers, that_are_wrong_are_found) {
  run(3, [](team const& world) {
    auto all = make_graph(10);
    auto const g = all.build(world);
    cores const right = sheaf::core_numbers(g);
    EXPECT_EQ(sheaf::wrong_in(g, right), "");
    auto const text_with = [&](auto change) {
      cores wrong = right;
      vertex at = 0;  // an own vertex of member 1 in a core, but not in the largest one
      while (at < g.local() && (wrong.number[at] == 0 || wrong.number[at] == right.largest)) ++at;
      if (world.rank() == 1 && at < g.local()) change(wrong, at);
      return sheaf::wrong_in(g, wrong);
    };
    expect_in("neighbours with numbers as large", text_with([](cores& c, vertex v) { ++c.number[v]; }));
    expect_in("is in a larger core", text_with([](cores& c, vertex v) { --c.number[v]; }));
    cores wrong = right;
    std::ranges::fill(wrong.number, 0U);
    expect_in("is in a larger core", sheaf::wrong_in(g, wrong));
    wrong = right;
    ++wrong.largest;
    expect_in("the largest number is", sheaf::wrong_in(g, wrong));
  });
}

TEST_P(core_numbers, of_a_directed_graph_are_refused) {
  run(2, [](team const& world) {
    auto const g = sheaf::build_graph(world, std::vector<sheaf::edge<>>{{0, 1}});
    expect_in("graph_options::directed = false", text_of<sheaf::usage_error>([&] { sheaf::core_numbers(g); }));
  });
}

}  // namespace
