// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/detail/renumbered.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "sheaf/base/error.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

/// By ids, for a map without a formula. `number(v)` is that of a vertex in the new graph.
template <class Has, class Number>
void name_known(graph_shape const& g, numbered_ids& all, Has has, Number number) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> known;  // id, number
  for (vertex v = 0; v < g.all(); ++v) {
    if (!has(v)) continue;
    known.emplace_back(g.id(v), number(v));
    if (g.is_local(v)) all.own_ids.push_back(g.id(v));
  }
  std::ranges::sort(known);
  for (auto const& [id, its] : known) {
    all.ids.push_back(id);
    all.numbers.push_back(its);
  }
}

}  // namespace

graph_options options_of(graph_shape const& g) {
  return {
      .directed = g.is_directed(), .in_edges = g.is_directed() && g.has_in(), .loops = true, .parallel_edges = true};
}

numbered_ids numbers_of(graph_shape const& g) {
  numbered_ids all{g.map(), {}, {}, {}};
  if (g.map().has_formula()) return all;
  name_known(
      g, all, [](vertex) { return true; }, [&](vertex v) { return g.number(v); });
  return all;
}

numbered_ids numbers_of(graph_shape const& g, vertex_values<std::uint8_t> const& kept) {
  std::uint64_t const own = static_cast<std::uint64_t>(std::ranges::count(kept.own(), std::uint8_t{1}));
  std::vector<std::uint64_t> bounds = all_gather(g.members(), own);
  bounds.insert(bounds.begin(), 0);
  std::partial_sum(bounds.begin(), bounds.end(), bounds.begin());
  vertex_values<std::uint64_t> number(g);
  std::uint64_t next = bounds[g.members().rank()];
  for (vertex v = 0; v < g.local(); ++v) number[v] = kept[v] != 0 ? next++ : 0;
  number.pull();
  numbered_ids all{vertex_map(std::move(bounds)), {}, {}, {}};
  name_known(
      g, all, [&](vertex v) { return kept[v] != 0; }, [&](vertex v) { return number[v]; });
  return all;
}

void check_ids(graph_shape const& g, std::vector<std::uint64_t> const& ids, graph_options const& how) {
  auto const sizes = all_gather(g.members(), std::pair<std::uint64_t, std::uint64_t>{ids.size(), g.local()});
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    auto const [given, needed] = sizes[r];
    if (given != needed)
      throw usage_error("sheaf: permuted got " + std::to_string(given) + " ids at member " + std::to_string(r) +
                        ", which owns " + std::to_string(needed) + " vertices; give one for each, in their order");
  }
  std::uint64_t const distinct =
      number_by_table(g.members(), {.distribution = vertex_distribution::hash}, ids).map.vertices();
  if (distinct != g.vertices())
    throw usage_error("sheaf: permuted got " + std::to_string(distinct) + " different ids for " +
                      std::to_string(g.vertices()) + " vertices; give each vertex an id of its own");
  if (how.distribution == vertex_distribution::hash || how.distribution == vertex_distribution::degree) return;
  number_by_formula(g.members(), how, !ids.empty(), ids.empty() ? 0 : std::ranges::max(ids));  // which throws
}

}  // namespace sheaf::detail
