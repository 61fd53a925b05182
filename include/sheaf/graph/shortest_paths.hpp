// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>

#include "sheaf/graph/detail/path_check.hpp"
#include "sheaf/graph/detail/relaxing.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/path_tree.hpp"

namespace sheaf {

/// Collective. Distances from the vertex `root` (an id) along edges with weights, which are not negative. Any shortest
/// path's parent may be found. Δ-stepping (Meyer, Sanders: Δ-Stepping: A Parallelizable Shortest Path Algorithm,
/// J. Algorithms 2003): an epoch for each bucket, and again while others' messages add to it. A message of 16 bytes for
/// each time that an edge from this member lowers a ghost's distance. `messages`: one epoch, more messages. Throws
/// usage_error on all members if there is no such vertex, or a weight is negative or not a number.
template <class W>
path_tree<W> shortest_paths(graph<W> const& g, std::uint64_t root, paths_options const& how = {}) {
  auto const own = detail::checked_root(g, root);
  double const delta = detail::checked_delta(g, how.delta);
  if (how.form == paths_form::messages) return detail::correcting_paths<W>(g, delta).run(own);
  return detail::stepping_paths<W>(g, delta).run(own);
}

/// Collective. What is wrong with a tree, found by looking at every edge and every tree edge, without the search; an
/// empty text where nothing is: no edge gives a shorter path, each parent has an edge of exactly the missing length,
/// and the root alone is its own parent. This proves the distances where all weights are larger than 0; parents in
/// a circle of weight 0 are not found.
template <class W>
std::string wrong_in(graph<W> const& g, std::uint64_t root, path_tree<W> const& tree) {
  return detail::path_check<W>(g, root, tree).run();
}

}  // namespace sheaf
