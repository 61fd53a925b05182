// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The verifier of ranks: the step of the power method, pushed along the edges that begin at each vertex.
#include <cmath>
#include <functional>
#include <string>

#include "sheaf/graph/page_rank.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

/// The sum of the changes by a step.
double change_of(graph_shape const& g, page_ranks const& all, double damping) {
  vertex_values<double> got(g, 0.0);
  double lost = 0;
  for (vertex v = 0; v < g.local(); ++v) {
    auto const row = g.out().row(v);
    if (row.empty()) lost += all.rank[v];
    for (vertex const to : row) got[to] += all.rank[v] / static_cast<double>(row.size());
  }
  got.push(std::plus<>{}, 0.0);
  lost = all_reduce(g.members(), lost, std::plus<>{});
  double change = 0;
  for (vertex v = 0; v < g.local(); ++v) {
    double const next = (1 - damping + damping * lost) / static_cast<double>(g.vertices()) + damping * got[v];
    change += std::abs(next - all.rank[v]);
  }
  return all_reduce(g.members(), change, std::plus<>{});
}

}  // namespace

std::string wrong_in(graph_shape const& g, page_ranks const& all, page_rank_options const& how) {
  if (g.vertices() == 0) return {};
  double sum = 0;
  for (double const each : all.rank) sum += each;
  sum = all_reduce(g.members(), sum, std::plus<>{});
  constexpr double rounding = 1e-9;
  if (!(std::abs(sum - 1) <= rounding)) return "the sum of all ranks is " + std::to_string(sum);
  double const change = change_of(g, all, how.damping);
  if (change <= 2 * how.tolerance) return {};
  return "a step changes ranks by " + std::to_string(change / how.tolerance) + " times the tolerance";
}

}  // namespace sheaf
