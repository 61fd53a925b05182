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

double usual_delta(graph_shape const& g, double largest_weight) {
  double const largest = all_reduce(g.members(), largest_weight, [](double a, double b) { return std::max(a, b); });
  double const degree = static_cast<double>(g.edges()) / static_cast<double>(std::max<std::uint64_t>(1, g.vertices()));
  return largest > 0 ? largest / std::max(1.0, degree) : 1.0;  // Meyer and Sanders' choice for weights at random
}

}  // namespace sheaf::detail
