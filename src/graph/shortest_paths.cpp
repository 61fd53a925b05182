// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/shortest_paths.hpp"

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

void throw_any(team const& members, std::string const& text) {
  std::string const any =
      all_reduce(members, text, [](std::string const& a, std::string const& b) { return a.empty() ? b : a; });
  if (!any.empty()) throw usage_error(any);
}

std::string bad_weight(graph_shape const& g, vertex from, vertex to, std::string const& weight) {
  return "sheaf: the edge from vertex " + std::to_string(g.id(from)) + " to vertex " + std::to_string(g.id(to)) +
         " has the weight " + weight + "; shortest_paths needs weights that are 0 or more";
}

void check_delta(double wanted) {
  if (!(wanted >= 0))
    throw usage_error("sheaf: paths_options::delta is " + std::to_string(wanted) + "; give 0 or more");
}

double usual_delta(graph_shape const& g, double largest_weight) {
  struct facts {
    double largest, ends, squares;
  };
  facts all{largest_weight, 0, 0};
  for (vertex v = 0; v < g.local(); ++v) {
    auto const degree = static_cast<double>(g.out().degree(v));
    all.ends += degree;
    all.squares += degree * degree;
  }
  all = all_reduce(g.members(), all, [](facts const& a, facts const& b) {
    return facts{std::max(a.largest, b.largest), a.ends + b.ends, a.squares + b.squares};
  });
  return all.largest > 0 ? all.largest * all.ends / std::max(all.ends, all.squares) : 1.0;
}

}  // namespace sheaf::detail
