// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/strong_gather.hpp"

#include <algorithm>

#include "graph/local_components.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

using numbers = std::vector<std::uint64_t>;

/// The number of units, these, and edges as pairs. An edge to another member's vertex leads to that vertex; so one that
/// is known there is joined to its unit in both directions.
numbers what_is_left(strong_rest const& rest) {
  graph_shape const& g = rest.g;
  numbers all{rest.left.size()};
  for (vertex const u : rest.left) all.push_back(g.number(u));
  auto const put = [&](std::uint64_t from, std::uint64_t to) { all.insert(all.end(), {from, to}); };
  for (vertex const u : rest.left) {
    std::uint64_t const from = g.number(u);
    rest.each_of(u, [&](vertex v) {
      if (v != u) put(from, g.number(v));
      if (v != u) put(g.number(v), from);
      for (vertex const w : rest.out.row(v)) {
        if (rest.part[w] == rest.part[u]) put(from, g.number(g.is_local(w) ? rest.unit[w] : w));
      }
    });
  }
  return all;
}

/// Edges between places in a sorted list of numbers.
struct dense_graph {
  numbers known;
  adjacency rows;

  explicit dense_graph(std::vector<numbers> const& given) {
    for (numbers const& each : given) known.insert(known.end(), each.begin() + 1, each.end());
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    std::vector<std::pair<vertex, vertex>> edges;
    for (numbers const& each : given) {
      for (std::size_t k = 1 + each[0]; k < each.size(); k += 2) edges.emplace_back(place(each[k]), place(each[k + 1]));
    }
    std::ranges::sort(edges);
    rows.first.assign(known.size() + 1, 0);
    for (auto const& [from, to] : edges) {
      ++rows.first[from + std::size_t{1}];
      rows.targets.push_back(to);
    }
    for (std::size_t v = 0; v < known.size(); ++v) rows.first[v + 1] += rows.first[v];
  }
  [[nodiscard]] vertex place(std::uint64_t number) const {
    return static_cast<vertex>(std::ranges::lower_bound(known, number) - known.begin());
  }
};

/// For each member the names of its units.
std::vector<numbers> names_of(std::vector<numbers> const& given) {
  dense_graph const all(given);
  std::vector<std::uint32_t> const one_part(all.known.size(), 0);
  local_components const found = find_local_components(all.rows, one_part, strong_rest::gone);
  std::vector<numbers> names(given.size());
  for (std::size_t r = 0; r < given.size(); ++r) {
    for (std::size_t k = 1; k <= given[r][0]; ++k) names[r].push_back(all.known[found.unit[all.place(given[r][k])]]);
  }
  return names;
}

}  // namespace

void finish_at_one(strong_rest& rest) {
  team const& members = rest.g.members();
  auto const given = gather(members, 0, what_is_left(rest));
  auto const names = all_to_all(members, members.rank() == 0 ? names_of(given) : std::vector<numbers>(members.size()));
  for (std::size_t k = 0; k < rest.left.size(); ++k) rest.finish(rest.left[k], names[0][k]);
  rest.left.clear();
}

}  // namespace sheaf::detail
