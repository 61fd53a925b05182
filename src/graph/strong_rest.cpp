// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// What is left while strongly connected components are found. Result: units on a path from one cycle to another.
/// Method: trimming by counts (McLendon, Hendrickson, Plimpton, Rauchwerger: Finding Strongly Connected Components in
/// Distributed Graphs, JPDC 65, 2005). Data: counts for own units and ghosts in one array, as a ghost whose count ends
/// is told its owner once, who counts members, not edges; a list of units to remove, so that a chain takes no rounds.
/// Parts are 32-bit hashes: where two are equal by chance, an edge more is looked at, and nothing is wrong.
#include "graph/strong_rest.hpp"

#include <functional>
#include <numeric>

#include "sheaf/active/epoch.hpp"
#include "sheaf/graph/detail/random_words.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

strong_rest::strong_rest(graph_shape const& graph)
    : g(graph), out(graph.out()), in(graph.in()), part(graph, 0), name(graph.local()) {}

void strong_rest::take_alone() {
  unit.resize(g.local());
  std::iota(unit.begin(), unit.end(), vertex{0});
  next = unit;
  left = unit;
}

void strong_rest::finish(vertex u, std::uint64_t its_name) {
  each_of(u, [&](vertex v) {
    part[v] = gone;
    name[v] = its_name;
  });
}

void strong_rest::split(vertex u, std::uint64_t mark) {
  auto const its = static_cast<std::uint32_t>(mixed(mark + part[u]) >> 33U);  // never `gone`
  each_of(u, [&](vertex v) { part[v] = its; });
}

void strong_rest::sweep() {
  std::erase_if(left, [this](vertex u) { return part[u] == gone; });
}

strong_rest::totals strong_rest::prepare() {
  totals all{all_reduce(g.members(), std::uint64_t{left.size()}, std::plus<>{})};
  if (all.units == 0) return all;
  part.pull();
  in_left_.assign(g.all(), 0);
  out_left_.assign(g.all(), 0);
  edges_ = 0;
  for (vertex const u : left) {
    count(in, in_left_, out_left_, u);
    count(out, out_left_, in_left_, u);
  }
  all.edges = all_reduce(g.members(), edges_, std::plus<>{}) / 2;  // from both ends
  return all;
}

void strong_rest::count(adjacency const& back, std::vector<std::uint32_t>& here, std::vector<std::uint32_t>& there,
                        vertex u) {
  std::uint32_t const its = part[u];
  each_of(u, [&](vertex v) {
    std::uint32_t last = gone;
    for (vertex const w : back.row(v)) {
      if (part[w] != its || (g.is_local(w) && unit[w] == u)) continue;
      ++edges_;
      if (g.is_local(w)) {
        ++here[u];
        continue;
      }
      ++there[w];
      std::uint32_t const rank = g.place(w).rank;
      here[u] += rank != last ? 1 : 0;
      last = rank;
    }
  });
}

strong_rest::totals strong_rest::trim() {
  auto const begin = [this] {
    for (vertex const u : left) {
      if (in_left_[u] == 0 || out_left_[u] == 0) work_.add(u);
    }
  };
  auto const rest = [this] {
    sweep();
    return totals{left.size(), 0};
  };
  return epoch(g.members(), begin, rest, std::plus<>{});
}

void strong_rest::remove(vertex u) {
  std::uint32_t const its = part[u];
  if (its == gone) return;
  finish(u, g.number(u));
  each_of(u, [&](vertex v) {
    for (vertex const w : out.row(v)) {
      if (part[w] == its) lose(in_left_, w, no_more_in_);
    }
    for (vertex const w : in.row(v)) {
      if (part[w] == its) lose(out_left_, w, no_more_out_);
    }
  });
}

void strong_rest::lose(std::vector<std::uint32_t>& counts, vertex v, vertex_messages<>& to_ghosts) {
  if (g.is_local(v)) {
    if (--counts[unit[v]] == 0) work_.add(unit[v]);
  } else if (--counts[v] == 0) {
    ++messages;
    to_ghosts.send(v);
  }
}

void strong_rest::arrive(std::vector<std::uint32_t>& counts, vertex v) {
  if (part[v] != gone && --counts[unit[v]] == 0) work_.add(unit[v]);
}

}  // namespace sheaf::detail
