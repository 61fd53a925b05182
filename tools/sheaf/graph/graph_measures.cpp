// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// What `sheaf graph` says of cores, betweenness, forests, colours and chains.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "sheaf/command_error.hpp"
#include "sheaf/graph/betweenness.hpp"
#include "sheaf/graph/core_numbers.hpp"
#include "sheaf/graph/graph_actions.hpp"
#include "sheaf/graph/independent_set.hpp"
#include "sheaf/graph/spanning_forest.hpp"
#include "sheaf/graph/strong_components.hpp"
#include "sheaf/graph/topological_order.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/graph/write_edges.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

namespace {

/// How many vertices have each value.
histogram counted(graph_job& job, std::vector<std::uint64_t> const& values, char const* title, char const* what) {
  std::uint64_t const most = values.empty() ? 0 : std::ranges::max(values);
  std::vector<std::uint64_t> counts(values.empty() ? 0 : most + 1, 0);
  for (std::uint64_t const value : values) ++counts[value];
  histogram one = histogram_of_values(job.world(), std::move(counts));
  one.title = title;
  one.values = what;
  one.counts = "vertices";
  return one;
}

/// The graph of components: an edge where one has an edge to another one. Ids are labels.
graph<> condensed(graph_shape const& g, std::vector<std::uint64_t> const& labels) {
  vertex_values<std::uint64_t> label(g);
  std::ranges::copy(labels, label.own().begin());
  label.pull();
  std::vector<edge<>> edges;
  for (vertex v = 0; v < g.local(); ++v) {
    edges.push_back({label[v], label[v]});  // so that each component is there
    for (vertex const to : g.out().row(v)) edges.push_back({label[v], label[to]});
  }
  return build_graph(g.members(), std::move(edges),
                     {.directed = true, .in_edges = true, .distribution = vertex_distribution::hash});
}

/// The ids along a longest path, from its end to its start.
std::vector<std::uint64_t> chain_of(graph_shape const& g, topological_levels const& order) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  auto const least = [&](std::uint64_t own) {
    return all_reduce(g.members(), own, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
  };
  vertex_values<std::uint32_t> level(g);
  std::ranges::copy(order.level, level.own().begin());
  level.pull();
  std::uint64_t next = none;
  for (vertex v = 0; v < g.local(); ++v) {
    if (level[v] + 1 == order.levels) next = std::min(next, g.id(v));
  }
  std::vector<std::uint64_t> chain;
  for (next = least(next); next != none; next = least(next)) {
    chain.push_back(next);
    auto const here = g.find(next);
    next = none;
    if (!here || level[*here] == 0) continue;
    for (vertex const from : g.in().row(*here)) {
      if (level[from] + 1 == level[*here]) next = std::min(next, g.id(from));
    }
  }
  return chain;
}

}  // namespace

void peel_graph(graph_job& job) {
  auto const g = job.load(false, true);
  job.phase("peeling");
  cores found;
  double const seconds = job.timed([&] { found = core_numbers(g); });
  report::row all{{"largest core", found.largest}, {"time", in_milliseconds(seconds)}};
  verify(job, all, [&] { return wrong_in(g, found); });
  job.tell("Cores", all);
  job.tell(counted(job, found.number, "Vertices by core", "core"));
  job.write(g, found.number);
}

void rank_graph_between(graph_job& job) {
  auto const g = job.load();
  auto const sources = sampled_vertices(g, job.asked().sources, job.asked().seed);
  job.phase("following paths");
  std::vector<double> found;
  double const seconds = job.timed([&] { found = betweenness(g, sources); });
  report::row all{{"sources", sources.size()}, {"time", in_milliseconds(seconds)}};
  verify(job, all, [&] { return wrong_in(g, sources, found); });
  job.tell("Betweenness", all);
  tell_largest(job, g, found, 10);
  job.write(g, found);
}

void span_graph(graph_job& job) {
  auto const g = job.load_weighted(true);
  job.phase("spanning");
  forest<double> found;
  double const seconds = job.timed([&] { found = spanning_forest(g); });
  report::row all{
      {"trees", found.trees}, {"edges", found.count}, {"weight", found.weight}, {"time", in_milliseconds(seconds)}};
  verify(job, all, [&] { return wrong_in(g, found); });
  job.tell("Minimum spanning forest", all);
  if (job.asked().output.empty()) return;
  write_edges(job.world(), job.asked().output, edge_file<double>{found.edges, false, {}}, graph_format::edge_list);
}

void colour_graph(graph_job& job) {
  auto const g = job.load(false, true);
  job.phase("colouring");
  coloured_vertices found;
  double const seconds = job.timed([&] { found = colouring(g, job.asked().seed); });
  report::row all{{"colours", found.colours}, {"time", in_milliseconds(seconds)}};
  verify(job, all, [&] { return wrong_in(g, found); });
  job.tell("Colouring", all);
  job.tell(counted(job, {found.colour.begin(), found.colour.end()}, "Vertices by colour", "colour"));
  job.write(g, found.colour);
}

void chain_graph(graph_job& job) {
  auto const g = job.load(true);
  job.phase("ordering");
  strongly_connected found;
  std::optional<graph<>> whole;
  topological_levels order;
  std::vector<std::uint64_t> chain;
  double const seconds = job.timed([&] {
    found = strong_components(g);
    whole = condensed(g, found.label);
    order = topological_order(*whole);
    chain = chain_of(*whole, order);
  });
  report::row all{{"components", chain.size()}, {"time", in_milliseconds(seconds)}};
  verify(job, all, [&] {
    std::string const wrong = wrong_in(g, found);
    return wrong.empty() ? wrong_in(*whole, order) : wrong;
  });
  job.tell("Longest chain of components", all);
  std::vector<report::row> rows;
  for (std::size_t k = chain.size(); k-- > 0;)
    rows.push_back({{"level", chain.size() - 1 - k}, {"vertex", job.name_of(chain[k])}});
  job.tell_table("Chain", rows);
}

}  // namespace sheaf::tool
