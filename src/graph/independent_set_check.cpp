// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The verifiers of independent sets and colourings, which look at each edge.
#include <algorithm>
#include <functional>
#include <string>

#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/independent_set.hpp"
#include "sheaf/graph/vertex_values.hpp"

namespace sheaf {

namespace {

/// Calls look(a, b) for each edge of own vertices, in both directions, but for loops.
template <class Look>
void for_each_neighbour(graph_shape const& g, vertex v, Look look) {
  auto const all = [&](adjacency const& rows) {
    for (vertex const to : rows.row(v)) {
      if (to != v) look(to);
    }
  };
  all(g.out());
  if (g.is_directed()) all(g.in());
}

class set_check : detail::verdict {
 public:
  set_check(graph_shape const& g, vertex_set const& all) : g_(g), all_(all), is_in_(g, 0) {}

  std::string run() {
    std::ranges::copy(all_.is_in, is_in_.own().begin());
    is_in_.pull();
    std::uint64_t size = 0;
    for (vertex v = 0; v < g_.local(); ++v) {
      size += is_in_[v] != 0 ? 1 : 0;
      bool is_near = false;
      for_each_neighbour(g_, v, [&](vertex to) {
        is_near = is_near || is_in_[to] != 0;
        if (is_in_[v] != 0 && is_in_[to] != 0)
          wrong(name(v) + " and its neighbour, " + name(to) + ", are both in the set");
      });
      if (is_in_[v] == 0 && !is_near) wrong(name(v) + " is not in the set, and has no neighbour there");
    }
    compare("vertices in the set", all_.size, all_reduce(g_.members(), size, std::plus<>{}));
    return agreed(g_.members());
  }

 private:
  [[nodiscard]] std::string name(vertex v) const { return "vertex " + std::to_string(g_.id(v)); }

  graph_shape const& g_;
  vertex_set const& all_;
  vertex_values<std::uint8_t> is_in_;
};

class colour_check : detail::verdict {
 public:
  colour_check(graph_shape const& g, coloured_vertices const& all) : g_(g), all_(all), colour_(g, 0) {}

  std::string run() {
    std::ranges::copy(all_.colour, colour_.own().begin());
    colour_.pull();
    std::uint64_t colours = 0;
    for (vertex v = 0; v < g_.local(); ++v) {
      colours = std::max(colours, std::uint64_t{colour_[v]} + 1);
      for_each_neighbour(g_, v, [&](vertex to) {
        if (colour_[v] == colour_[to])
          wrong(name(v) + " and its neighbour, vertex " + std::to_string(g_.id(to)) + ", have the same");
      });
    }
    auto const larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
    compare("colours", all_.colours, all_reduce(g_.members(), colours, larger));
    return agreed(g_.members());
  }

 private:
  [[nodiscard]] std::string name(vertex v) const {
    return "vertex " + std::to_string(g_.id(v)) + " (colour " + std::to_string(colour_[v]) + ")";
  }

  graph_shape const& g_;
  coloured_vertices const& all_;
  vertex_values<std::uint32_t> colour_;
};

}  // namespace

std::string wrong_in(graph_shape const& g, vertex_set const& all) { return set_check(g, all).run(); }
std::string wrong_in(graph_shape const& g, coloured_vertices const& all) { return colour_check(g, all).run(); }

}  // namespace sheaf
