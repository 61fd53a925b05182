// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "sheaf/graph/detail/path_check.hpp"
#include "sheaf/graph/detail/relaxing.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/path_tree.hpp"

namespace sheaf {

/// Collective. Distances from the vertex `root` (an id) along edges with weights, which are not negative. Any shortest
/// path's parent may be found. Δ-stepping (Meyer, Sanders: Δ-Stepping: A Parallelizable Shortest Path Algorithm,
/// J. Algorithms 2003): an epoch for each bucket, and again while others' messages add to it. A message of 16 bytes (12
/// with integral weights of up to 32 bits, where distances fit in these) for each time that an edge from this member
/// lowers a ghost's distance. `messages`: one epoch, more messages. Throws usage_error on all members if there is no
/// such vertex, if they give different ones, or for a negative weight or delta, or one that is not a number.
template <class W>
path_tree<W> shortest_paths(graph<W> const& g, std::uint64_t root, paths_options const& how = {}) {
  auto const own = detail::checked_root(g, root);
  auto const weights = detail::checked_weights(g, how.delta);
  if constexpr (std::is_integral_v<W> && sizeof(W) <= sizeof(std::uint32_t)) {  // half the memory, while it is enough
    auto found = detail::find_paths<W, std::uint32_t>(g, own, how.form, weights);
    if (found) return std::move(*found);
  }
  return *detail::find_paths<W, typename path_tree<W>::distance_type>(g, own, how.form, weights);
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
