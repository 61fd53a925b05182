// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/mirror_lists.hpp"

namespace sheaf::detail {

mirror_lists::mirror_lists(graph_shape const& g) : first_(g.local() + std::size_t{2}, 0) {
  for (std::uint32_t const r : g.neighbour_ranks()) {
    for (vertex const v : g.mirrors_at(r)) ++first_[v + std::size_t{2}];
  }
  for (std::size_t k = 2; k < first_.size(); ++k) first_[k] += first_[k - 1];
  places_.resize(first_.back());
  for (std::uint32_t const r : g.neighbour_ranks()) {
    std::uint32_t position = 0;
    for (vertex const v : g.mirrors_at(r)) places_[first_[v + std::size_t{1}]++] = {r, position++};
  }
  first_.pop_back();
}

}  // namespace sheaf::detail
