// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// What `sheaf graph` says of components, distances, ranks and triangles.
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "sheaf/command_error.hpp"
#include "sheaf/graph/connected_components.hpp"
#include "sheaf/graph/derived.hpp"
#include "sheaf/graph/detail/exchange.hpp"
#include "sheaf/graph/graph_actions.hpp"
#include "sheaf/graph/page_rank.hpp"
#include "sheaf/graph/search_rates.hpp"
#include "sheaf/graph/shortest_paths.hpp"
#include "sheaf/graph/strong_components.hpp"
#include "sheaf/graph/triangles.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

namespace {

/// Of a component: how many vertices it has, and the smallest ids of these.
struct group {
  static constexpr std::size_t most_ids = 16;

  std::uint64_t vertices = 0;
  std::vector<std::uint64_t> ids;

  void add(group const& other) {
    vertices += other.vertices;
    ids.insert(ids.end(), other.ids.begin(), other.ids.end());
    std::ranges::sort(ids);
    ids.resize(std::min(ids.size(), most_ids));
  }
};

/// The components, each at one member.
std::vector<group> groups_of(graph_shape const& g, std::vector<std::uint64_t> const& labels) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted;  // label, id
  for (vertex v = 0; v < g.local(); ++v) sorted.emplace_back(labels[v], g.id(v));
  std::ranges::sort(sorted);
  std::vector<std::vector<std::pair<std::uint64_t, group>>> to(g.members().size());
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    auto& mine = to[sorted[k].first % to.size()];
    if (k == 0 || sorted[k].first != sorted[k - 1].first) mine.emplace_back(sorted[k].first, group{});
    group& its = mine.back().second;
    if (its.vertices++ < group::most_ids) its.ids.push_back(sorted[k].second);
  }
  std::map<std::uint64_t, group> whole;
  for (auto const& part : detail::exchange(g.members(), to)) {
    for (auto const& [label, its] : part) whole[label].add(its);
  }
  std::vector<group> all;
  for (auto& [label, its] : whole) all.push_back(std::move(its));
  return all;
}

histogram sizes_of(team const& members, std::vector<group> const& all) {
  std::vector<std::uint64_t> sizes;
  for (group const& each : all) sizes.push_back(each.vertices);
  histogram found = histogram_of_powers(members, sizes);
  found.title = "Components by vertices";
  found.values = "vertices";
  found.counts = "components";
  return found;
}

/// The largest ones first, of those with several vertices.
void keep_largest(std::vector<group>& all) {
  constexpr std::size_t most = 8;
  std::erase_if(all, [](group const& each) { return each.vertices < 2; });
  std::ranges::sort(all, [](group const& a, group const& b) {
    return a.vertices != b.vertices ? a.vertices > b.vertices : a.ids < b.ids;
  });
  all.resize(std::min(all.size(), most));
}

void tell_groups(graph_job& job, std::vector<group> own) {
  keep_largest(own);
  std::vector<group> all;
  for (auto const& part : all_gather(job.world(), own)) all.insert(all.end(), part.begin(), part.end());
  keep_largest(all);
  std::vector<report::row> rows;
  for (group const& each : all) {
    std::string names;
    for (std::uint64_t const id : each.ids) names.append(names.empty() ? "" : " ").append(job.name_of(id));
    rows.push_back({{"vertices", each.vertices}, {"members", names + (each.vertices > each.ids.size() ? " ..." : "")}});
  }
  job.tell_table("Largest components", rows);
}

template <class Found>
void tell_components(graph_job& job, graph_shape const& g, Found const& found, double seconds) {
  report::row all{{"components", found.count}, {"largest", found.largest}, {"time", in_milliseconds(seconds)}};
  verify(job, all, [&] { return wrong_in(g, found); });
  job.tell("Components", all);
  std::vector<group> const groups = groups_of(g, found.label);
  if (found.count != g.vertices()) tell_groups(job, groups);
  job.tell(sizes_of(job.world(), groups));
  job.write(g, found.label);
}

/// Counts again with the same ids at other members: no way to prove a count is cheaper than to count.
std::string wrong_in_count(graph<> const& g, std::uint64_t triangles) {
  std::vector<std::uint64_t> ids;
  for (vertex v = 0; v < g.local(); ++v) ids.push_back(g.id(v));
  std::uint64_t const again = count_triangles(permuted(g, ids, {.distribution = vertex_distribution::hash}));
  if (again == triangles) return {};
  return "with vertices at other members there are " + std::to_string(again) + " triangles, not " +
         std::to_string(triangles);
}

}  // namespace

void tell_largest(graph_job& job, graph_shape const& g, std::vector<double> const& values, std::size_t most) {
  std::vector<std::pair<double, std::uint64_t>> own;
  for (vertex v = 0; v < g.local(); ++v) own.emplace_back(-values[v], g.id(v));
  std::size_t const kept = std::min(most, own.size());
  std::partial_sort(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(kept), own.end());
  own.resize(kept);
  std::vector<std::pair<double, std::uint64_t>> all;
  for (auto const& part : all_gather(g.members(), own)) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all);
  std::vector<report::row> rows;
  for (std::size_t k = 0; k < std::min(most, all.size()); ++k)
    rows.push_back({{"vertex", job.name_of(all[k].second)}, {"value", -all[k].first}});
  job.tell_table("Largest", rows);
}

void connect_graph(graph_job& job) {
  auto const form = job.asked().form == "messages" ? components_form::messages : components_form::hooking;
  auto const g = job.load();
  job.phase("connecting");
  components found;
  double const seconds = job.timed([&] { found = connected_components(g, form); });
  tell_components(job, g, found, seconds);
}

void connect_graph_strongly(graph_job& job) {
  auto const form = job.asked().form == "pivots" ? scc_form::pivots : scc_form::colouring;
  auto const g = job.load(true);
  job.phase("connecting");
  strongly_connected found;
  double const seconds = job.timed([&] { found = strong_components(g, form); });
  tell_components(job, g, found, seconds);
}

void rank_graph(graph_job& job) {
  auto const g = job.load(true);
  job.phase("ranking");
  page_ranks found;
  double const seconds = job.timed([&] { found = page_rank(g); });
  report::row all{{"iterations", found.iterations}, {"last change", found.change}, {"time", in_milliseconds(seconds)}};
  verify(job, all, [&] { return wrong_in(g, found); });
  job.tell("PageRank", all);
  tell_largest(job, g, found.rank, 10);
  job.write(g, found.rank);
}

void count_graph_triangles(graph_job& job) {
  auto const g = job.load(false, true);
  job.phase("counting");
  std::uint64_t found = 0;
  double const seconds = job.timed([&] { found = count_triangles(g); });
  report::row all{{"triangles", found}, {"time", in_milliseconds(seconds)}};
  verify(job, all, [&] { return wrong_in_count(g, found); });
  job.tell("Triangles", all);
}

void measure_graph(graph_job& job) {
  auto const form = job.asked().form == "messages" ? paths_form::messages : paths_form::delta_stepping;
  auto const g = job.load_weighted();
  if (g.vertices() == 0) throw command_error(job.asked().file + " has no vertices to search");
  std::uint64_t const root = job.asked().root ? *job.asked().root : busiest(g);
  job.phase("searching");
  path_tree<double> found;
  double const seconds = job.timed([&] { found = shortest_paths(g, root, {.form = form}); });
  double farthest = 0;
  std::vector<double> result;
  for (vertex v = 0; v < g.local(); ++v) {
    bool const is_reached = found.distance[v] != path_tree<double>::unreached;
    result.push_back(is_reached ? found.distance[v] : -1);
    farthest = std::max(farthest, result.back());
  }
  farthest = all_reduce(g.members(), farthest, [](double a, double b) { return std::max(a, b); });
  report::row all{{"root", job.name_of(root)},
                  {"reached", found.reached},
                  {"farthest", farthest},
                  {"time", in_milliseconds(seconds)}};
  verify(job, all, [&] { return wrong_in(g, root, found); });
  job.tell("Distances", all);
  job.write(g, result);
  tell_search_rates(job, g,
                    {[&](std::uint64_t from) { found = shortest_paths(g, from, {.form = form}); },
                     [&](vertex v) { return found.distance[v] != path_tree<double>::unreached; },
                     [&](std::uint64_t from) { return wrong_in(g, from, found); }});
}

}  // namespace sheaf::tool
