// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "rmi/jobs.hpp"
#include "sheaf/graph/vertex_values.hpp"

namespace {

using sheaf::edge;
using sheaf::graph_options;
using sheaf::team;
using sheaf::vertex;
using sheaf::vertex_distribution;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class graphs : public sheaf_test::over {};
SHEAF_OVER_ALL(graphs);

using valued = edge<std::uint32_t>;
using row_entry = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;

std::vector<valued> random_edges(std::size_t count, std::uint64_t ids, std::uint64_t stride) {
  std::mt19937_64 next(count);
  std::vector<valued> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(
        {next() % ids * stride, next() % ids % (next() % ids + 1) * stride, static_cast<std::uint32_t>(next() % 100)});
  return all;
}

/// Each member's part of them, dealt one by one.
template <class Edge>
std::vector<Edge> part_of(std::vector<Edge> const& all, team const& world) {
  std::vector<Edge> mine;
  for (std::size_t i = world.rank(); i < all.size(); i += world.size()) mine.push_back(all[i]);
  return mine;
}

/// What the rows of all members are to hold, serially.
std::multiset<row_entry> expected_rows(std::vector<valued> const& edges, graph_options const& how) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::multiset<std::uint32_t>> rows;
  for (valued const& each : edges) {
    if (each.source == each.target && !how.loops) continue;
    rows[{each.source, each.target}].insert(each.value);
    if (!how.directed && each.source != each.target) rows[{each.target, each.source}].insert(each.value);
  }
  std::multiset<row_entry> all;
  for (auto const& [ends, values] : rows) {
    for (std::uint32_t const value : values) {
      all.emplace(ends.first, ends.second, value);
      if (!how.parallel_edges) break;
    }
  }
  return all;
}

/// What they hold, on every member.
std::multiset<row_entry> rows_of(sheaf::graph<std::uint32_t> const& g, bool in) {
  std::vector<std::vector<row_entry>> mine(1);
  g.for_each_vertex([&](vertex v) {
    auto const& rows = in ? g.in() : g.out();
    EXPECT_TRUE(std::ranges::is_sorted(rows.row(v)));
    for (std::uint64_t k = rows.first[v]; k < rows.first[v + 1]; ++k) {
      std::uint64_t const from = g.id(v), to = g.id(rows.targets[k]);
      in ? mine[0].emplace_back(to, from, g.in_value(k)) : mine[0].emplace_back(from, to, g.out_value(k));
    }
  });
  std::multiset<row_entry> all;
  for (auto const& each : sheaf::all_gather(g.members(), mine[0])) all.insert(each.begin(), each.end());
  return all;
}

void expect_places(sheaf::graph_shape const& g) {
  std::vector<std::uint64_t> ids;
  for (vertex v = 0; v < g.all(); ++v) {
    ids.push_back(g.id(v));
    EXPECT_EQ(g.find(g.id(v)), g.is_local(v) ? std::optional(v) : std::nullopt);
    EXPECT_EQ(g.is_local(v), g.place(v).rank == g.members().rank());
  }
  auto const all = sheaf::all_gather(g.members(), ids);
  EXPECT_TRUE(std::ranges::is_sorted(g.neighbour_ranks()));
  for (std::uint32_t r = 0; r < g.members().size(); ++r) {
    auto const [first, last] = g.ghosts_of(r);
    EXPECT_EQ(first != last || !g.mirrors_at(r).empty(), std::ranges::count(g.neighbour_ranks(), r) == 1);
  }
  for (std::uint32_t r = 0; r < g.members().size(); ++r) {
    auto const [first, last] = g.ghosts_of(r);
    for (vertex v = first; v < last; ++v) EXPECT_EQ(all[r][g.place(v).local], g.id(v));
    for (std::size_t k = 0; k < g.mirrors_at(r).size(); ++k)
      EXPECT_EQ(std::ranges::count(all[r], g.id(g.mirrors_at(r)[k])), 1) << "a mirror is a ghost there";
  }
  EXPECT_EQ(sheaf::all_reduce(g.members(), std::uint64_t{g.local()}, std::plus<>{}), g.vertices());
}

TEST_P(graphs, hold_the_edges_that_they_are_made_of) {
  for (unsigned const members : {1U, 2U, 3U, 4U, 7U}) {
    run(members, [&](team const& world) {
      for (auto const kind : {vertex_distribution::block, vertex_distribution::cyclic, vertex_distribution::given,
                              vertex_distribution::hash, vertex_distribution::degree}) {
        bool const any_ids = kind >= vertex_distribution::hash;
        for (unsigned const flags : {0U, 1U, 2U, 4U, 8U, 15U, 7U}) {
          graph_options how{.directed = (flags & 1U) != 0,
                            .in_edges = (flags & 2U) != 0,
                            .loops = (flags & 4U) != 0,
                            .parallel_edges = (flags & 8U) != 0,
                            .distribution = kind};
          if (kind == vertex_distribution::given) {
            for (std::uint64_t r = 0; r <= members; ++r) how.bounds.push_back(r * r * 60 / (members * members));
          }
          auto const edges = random_edges(flags == 7 ? 0 : 300, 50, any_ids ? 0x123456789ABCDU : 1);
          auto const g = sheaf::build_graph(world, part_of(edges, world), how);
          auto const expected = expected_rows(edges, how);
          EXPECT_EQ(rows_of(g, false), expected);
          if (how.directed && how.in_edges) {
            EXPECT_EQ(rows_of(g, true), expected);
          }
          std::uint64_t loops = 0;
          for (auto const& [from, to, value] : expected) loops += from == to ? 1 : 0;
          EXPECT_EQ(g.edges(), how.directed ? expected.size() : (expected.size() + loops) / 2);
          expect_places(g);
        }
      }
    });
  }
}

/// In large teams values go to neighbours alone.
TEST(large_teams, exchange_values_with_neighbours) {
  auto job = sheaf_test::job_of(sheaf::transport_kind::sim, 70);
  sheaf::run(job, [](team const& world) {
    std::uint64_t const n = world.size() * std::uint64_t{3};
    std::vector<edge<>> mine;  // a directed ring: the member behind has ghosts of the one before it
    for (std::uint64_t id = world.rank(); id < n; id += world.size()) mine.push_back({id, (id + 1) % n});
    for (auto const kind : {vertex_distribution::block, vertex_distribution::degree}) {
      auto const g = sheaf::build_graph(world, mine, {.distribution = kind});
      expect_places(g);
      if (kind == vertex_distribution::block) {
        EXPECT_EQ(g.neighbour_ranks().size(), 2U);
      }
      sheaf::vertex_values<std::string> name(g, "?");
      sheaf::vertex_values<std::vector<std::uint32_t>> from(g);
      for (vertex v = 0; v < g.local(); ++v) name[v] = std::to_string(g.id(v));
      name.pull();
      for (vertex v = 0; v < g.all(); ++v) EXPECT_EQ(name[v], std::to_string(g.id(v)));
      for (vertex v = g.local(); v < g.all(); ++v) from[v] = {world.rank()};
      auto const join = [](std::vector<std::uint32_t> a, std::vector<std::uint32_t> const& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
      };
      from.push(join, {});
      for (vertex v = 0; v < g.all(); ++v) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t const r : g.neighbour_ranks()) {
          if (g.is_local(v) && std::ranges::count(g.mirrors_at(r), v) != 0) expected.push_back(r);
        }
        EXPECT_EQ(from[v], expected);
      }
    }
  });
}

TEST_P(graphs, say_which_ids_are_too_large) {
  run(3, [](team const& world) {
    std::vector<edge<>> mine;
    if (world.rank() == 1) mine = {{3, 17}};
    expect_in("vertex 17, but there are 10",
              text_of<sheaf::usage_error>([&] { sheaf::build_graph(world, mine, {.vertices = 10}); }));
    expect_in("one more than members", text_of<sheaf::usage_error>([&] {
                sheaf::build_graph(world, mine, {.distribution = vertex_distribution::given, .bounds = {0, 20}});
              }));
    expect_in("different graph_options",
              text_of<sheaf::usage_error>([&] { sheaf::build_graph(world, mine, {.in_edges = world.rank() == 2}); }));
    expect_in("the largest number", text_of<sheaf::usage_error>([&] {
                sheaf::build_graph(world, std::vector<edge<>>{{0, ~std::uint64_t{0}}});
              }));
    expect_in("in_edges",
              text_of<sheaf::usage_error>([&] { static_cast<void>(sheaf::build_graph(world, mine).in()); }));
  });
}

TEST_P(graphs, have_values_of_any_type_that_can_travel) {
  run(3, [](team const& world) {
    std::vector<edge<std::string>> mine;
    for (std::uint64_t i = world.rank(); i < 100; i += world.size())
      mine.push_back({i, (i + 1) % 100, std::to_string(i)});
    auto const g = sheaf::build_graph(world, mine);
    g.for_each_vertex([&](vertex v) {
      g.for_each_edge(v, [&](vertex to, std::string const& value) {
        EXPECT_EQ(value, std::to_string(g.id(v)));
        EXPECT_EQ(g.id(to), (g.id(v) + 1) % 100);
      });
    });
    EXPECT_EQ(g.edges(), 100u);
  });
}

}  // namespace
