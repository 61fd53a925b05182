// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/graph_actions.hpp"

#include <algorithm>
#include <cstdio>

#include "sheaf/command_error.hpp"
#include "sheaf/graph/breadth_first.hpp"
#include "sheaf/graph/search_rates.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

namespace {

constexpr unsigned undirected = takes_file | takes_graph | takes_result;
constexpr unsigned any = undirected | takes_directed;
constexpr unsigned values = takes_output | takes_values;
constexpr unsigned search = any | values | takes_names | takes_root | takes_seed;

constexpr graph_action all_actions[] = {
    {"bfs",
     "Breadth-first search: the level of each vertex, from a root",
     search_graph,
     search,
     {"direction", "top-down", "messages"}},
    {"bc", "Betweenness: how many shortest paths lead over each vertex", rank_graph_between,
     any | values | takes_names | takes_sources | takes_seed},
    {"cc",
     "Connected components, whatever the direction of edges",
     connect_graph,
     any | values | takes_names,
     {"hooking", "messages"}},
    {"chain", "The longest chain of strongly connected components", chain_graph, any | takes_names},
    {"color", "Colours, so that neighbours differ", colour_graph, undirected | values | takes_seed},
    {"convert", "The same edges in another form of file", convert_graph, takes_file | takes_directed | takes_target},
    {"generate", "Write the edges of a random graph or a mesh to a file", generate_graph,
     takes_kind | takes_target | takes_seed},
    {"info", "What the file holds", describe_graph, takes_file | takes_directed | takes_graph},
    {"kcore", "Core numbers", peel_graph, undirected | values},
    {"mst", "A minimum spanning forest", span_graph, undirected | takes_output},
    {"pagerank", "PageRank: how often a random walk is at each vertex", rank_graph, any | values | takes_names},
    {"scc",
     "Strongly connected components",
     connect_graph_strongly,
     any | values | takes_names,
     {"colouring", "pivots"}},
    {"sssp", "Shortest paths from a root, along edges with values", measure_graph, search, {"delta", "messages"}},
    {"triangles", "How many triangles there are", count_graph_triangles, undirected},
};

bfs_form form_of(std::string const& name) {
  if (name == "top-down") return bfs_form::top_down;
  return name == "messages" ? bfs_form::messages : bfs_form::direction_optimizing;
}

histogram levels_of(team const& members, bfs_tree const& tree) {
  std::vector<std::uint64_t> counts(tree.depth + std::size_t{1}, 0);
  for (std::uint32_t const level : tree.level) {
    if (level != bfs_tree::unreached) ++counts[level];
  }
  histogram levels = histogram_of_values(members, std::move(counts));
  levels.title = "Vertices by level";
  levels.values = "level";
  levels.counts = "vertices";
  return levels;
}

}  // namespace

std::span<graph_action const> graph_actions() { return all_actions; }

void describe_graph(graph_job& job) { job.load(); }

void search_graph(graph_job& job) {
  bfs_form const form = form_of(job.asked().form);
  auto const g = job.load(form == bfs_form::direction_optimizing);
  if (g.vertices() == 0) throw command_error(job.asked().file + " has no vertices to search");
  std::uint64_t const root = job.asked().root ? *job.asked().root : busiest(g);
  job.phase("searching");
  bfs_tree tree;
  double const seconds = job.timed([&] { tree = breadth_first(g, root, form); });
  std::uint64_t const followed = g.is_directed() ? tree.edges : tree.edges / 2;
  report::row all{{"root", job.name_of(root)},
                  {"reached", tree.reached},
                  {"depth", tree.depth},
                  {"edges", followed},
                  {"time", in_milliseconds(seconds)},
                  {"million edges per second", static_cast<double>(followed) / seconds / 1e6}};
  verify(job, all, [&] { return wrong_in(g, root, tree); });
  job.tell("Search", all);
  job.tell(levels_of(job.world(), tree));
  std::vector<std::int64_t> result(tree.level.size());
  std::ranges::transform(tree.level, result.begin(),
                         [](std::uint32_t level) { return level == bfs_tree::unreached ? -1 : std::int64_t{level}; });
  job.write(g, result);
  tell_search_rates(job, g,
                    {[&](std::uint64_t from) { tree = breadth_first(g, from, form); },
                     [&](vertex v) { return tree.level[v] != bfs_tree::unreached; },
                     [&](std::uint64_t from) { return wrong_in(g, from, tree); }});
}

}  // namespace sheaf::tool
