// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Independent sets and colourings. Result: a mark or a colour for each own vertex. Method: random priorities (Luby: A
/// Simple Parallel Algorithm for the Maximal Independent Set Problem, SIAM J. Comput. 15, 1986; Jones, Plassmann: A
/// Parallel Graph Coloring Heuristic, SIAM J. Sci. Comput. 14, 1993), drawn once, so that no rounds are needed. Data:
/// for each own vertex the number of neighbours that it waits for; rows of ghosts, so that each is told of once.
#include "sheaf/graph/independent_set.hpp"

#include <algorithm>
#include <functional>

#include "graph/priority_order.hpp"

namespace sheaf {

namespace {

/// 1 if no neighbour in front has 1.
struct joining {
  template <class Order>
  std::uint32_t operator()(vertex v, Order const& order) const {
    bool is_free = true;
    order.each_before(v, [&](vertex other) { is_free = is_free && order.value(other) == 0; });
    return is_free ? 1 : 0;
  }
};

/// The smallest value that no neighbour in front has.
struct taking_smallest {
  std::vector<vertex> taken_by;  // by colour: the last vertex that found it taken, from 1

  template <class Order>
  std::uint32_t operator()(vertex v, Order const& order) {
    order.each_before(v, [&](vertex other) {
      std::uint32_t const colour = order.value(other);
      if (colour < taken_by.size()) taken_by[colour] = v + 1;  // others are no smaller than v's row is long
    });
    std::uint32_t colour = 0;
    while (taken_by[colour] == v + 1) ++colour;
    return colour;
  }
};

/// More than a row has neighbours.
std::size_t most_colours(graph_shape const& g) {
  std::size_t most = 0;
  for (vertex v = 0; v < g.local(); ++v)
    most = std::max(most, g.out().degree(v) + (g.is_directed() ? g.in().degree(v) : 0));
  return most + 2;
}

}  // namespace

vertex_set independent_set(graph_shape const& g, std::uint64_t seed) {
  auto const marks = detail::priority_order<joining>(g, seed, {}).run();
  vertex_set all{{marks.begin(), marks.end()}};
  std::uint64_t const own = static_cast<std::uint64_t>(std::ranges::count(marks, 1U));
  all.size = all_reduce(g.members(), own, std::plus<>{});
  return all;
}

coloured_vertices colouring(graph_shape const& g, std::uint64_t seed) {
  taking_smallest decide{std::vector<vertex>(most_colours(g), 0)};
  coloured_vertices all{detail::priority_order<taking_smallest>(g, seed, std::move(decide)).run()};
  for (std::uint32_t const each : all.colour) all.colours = std::max(all.colours, each + 1);
  all.colours = all_reduce(g.members(), all.colours, [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  return all;
}

}  // namespace sheaf
