// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/graph/detail/forest_check.hpp"
#include "sheaf/graph/detail/forest_edges.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

/// Types of weights, and of their sums.
template <class W>
concept edge_weight = (std::integral<W> || std::floating_point<W>)&&!std::same_as<W, bool> && sizeof(W) <= 8;
template <edge_weight W>
using weight_sum = std::conditional_t<std::floating_point<W>, double,
                                      std::conditional_t<std::signed_integral<W>, std::int64_t, std::uint64_t>>;

/// Trees of a graph's components.
template <edge_weight W>
struct forest {
  std::vector<edge<W>> edges;  ///< of the forest, each at one member, which owns one of its ends
  std::uint64_t count = 0;     ///< edges of the whole forest
  std::uint64_t trees = 0;     ///< of the whole graph, with vertices that have no edges
  weight_sum<W> weight{};      ///< of all edges
};

/// Collective. The minimum spanning forest of an undirected graph: of edges with one weight, the one with the smaller
/// ids of ends comes first, so that the forest is the same for any number of members, and its only minimum one. (Of
/// parallel edges that are equal in both, it has one.) Each member first joins what its own edges
/// join (Borůvka 1926), without a message. Then, in each of at most log2 n rounds, 8 bytes per ghost, and for each own
/// piece of a tree that still grows about four messages, and two each time that the way to the name of its tree is
/// halved. Throws usage_error on all members if the graph is directed, or a weight is NaN.
template <edge_weight W>
forest<W> spanning_forest(graph<W> const& g) {
  forest<W> all;
  std::vector<std::uint64_t> keys(g.out().targets.size());
  std::uint64_t wrong = 0;
  for (std::uint64_t k = 0; k < keys.size(); ++k) {
    wrong += g.out_value(k) == g.out_value(k) ? 0 : 1;
    keys[k] = detail::ordered_key(g.out_value(k));
  }
  if (all_reduce(g.members(), wrong, std::plus<>{}) != 0)
    throw usage_error("sheaf: spanning_forest needs weights that are numbers, and some are NaN");
  for (detail::forest_edge const& each : detail::forest_edges(g, keys)) {
    W const weight = g.out_value(each.edge);
    all.edges.push_back({g.id(each.from), g.id(g.out().targets[each.edge]), weight});
    all.weight += static_cast<weight_sum<W>>(weight);
  }
  all.weight = all_reduce(g.members(), all.weight, std::plus<>{});
  all.count = all_reduce(g.members(), std::uint64_t{all.edges.size()}, std::plus<>{});
  all.trees = g.vertices() - all.count;
  return all;
}

/// Collective. What is wrong with a forest, found by its components and the graph's; an empty text where nothing is.
/// Takes the memory of the graph once more. In graphs of at most `most_gathered` vertices each member gets the whole
/// forest, 40 bytes for each vertex, and looks at each edge: this proves that no forest is lighter. In larger ones
/// that is looked at for 8 weights of edges alone, which proves less, and takes up to 16 graphs more, one at a time.
template <edge_weight W>
std::string wrong_in(graph<W> const& g, forest<W> const& all, std::uint64_t most_gathered = std::uint64_t{1} << 22U) {
  return detail::forest_check<W, forest<W>>(g, all, most_gathered).run();
}

}  // namespace sheaf
