// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The verifier of topological orders. If each vertex with a level is one above the highest vertex from which an edge
/// leads to it, levels are those of longest paths. If an edge leads to each vertex without a level from another one
/// without, these are on cycles or behind them.
#include <algorithm>
#include <functional>
#include <string>

#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/topological_order.hpp"
#include "sheaf/graph/vertex_values.hpp"

namespace sheaf {

namespace {

class check : detail::verdict {
 public:
  check(graph_shape const& g, topological_levels const& all) : g_(g), all_(all), above_(g, 0) {}

  std::string run() {
    for (vertex v = 0; v < g_.local(); ++v) {
      for (vertex const to : g_.out().row(v)) above_[to] = std::max(above_[to], behind(all_.level[v]));
    }
    auto const larger = [](auto a, auto b) { return std::max(a, b); };
    above_.push(larger, 0);
    std::uint64_t left = 0, smallest = ~std::uint64_t{0};
    std::uint32_t levels = 0;
    for (vertex v = 0; v < g_.local(); ++v) {
      std::uint32_t const level = all_.level[v];
      if (level != above_[v])
        wrong("vertex " + std::to_string(g_.id(v)) + " has " + name(level) + ", and by its edges has " +
              name(above_[v]));
      if (level == topological_levels::none) {
        ++left;
        smallest = std::min(smallest, g_.id(v));
      } else {
        levels = std::max(levels, level + 1);
      }
    }
    compare("vertices without a level", all_.left, all_reduce(g_.members(), left, std::plus<>{}));
    compare("levels", all_.levels, all_reduce(g_.members(), levels, larger));
    smallest = all_reduce(g_.members(), smallest, [](auto a, auto b) { return std::min(a, b); });
    if (all_.left != 0 && all_.cyclic != smallest)
      wrong("the smallest vertex without a level is " + std::to_string(smallest));
    return agreed(g_.members());
  }

 private:
  static std::uint32_t behind(std::uint32_t level) { return level == topological_levels::none ? level : level + 1; }
  static std::string name(std::uint32_t level) {
    return level == topological_levels::none ? "no level" : "level " + std::to_string(level);
  }

  graph_shape const& g_;
  topological_levels const& all_;
  vertex_values<std::uint32_t> above_;  // of the sources of edges that lead there: one above the highest
};

}  // namespace

std::string wrong_in(graph_shape const& g, topological_levels const& all) { return check(g, all).run(); }

}  // namespace sheaf
