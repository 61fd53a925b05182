// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/detail/root.hpp"

#include <algorithm>
#include <string>

#include "sheaf/base/error.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

std::optional<vertex> checked_root(graph_shape const& g, std::uint64_t root) {
  struct answer {
    std::uint64_t owners, least, most;
  };
  auto const own = g.find(root);
  answer const all = all_reduce(g.members(), answer{own ? 1U : 0U, root, root}, [](answer const& a, answer const& b) {
    return answer{a.owners + b.owners, std::min(a.least, b.least), std::max(a.most, b.most)};
  });
  if (all.least != all.most)
    throw usage_error("sheaf: members give different roots, from " + std::to_string(all.least) + " to " +
                      std::to_string(all.most) + "; give the same on all");
  if (all.owners != 0) return own;
  throw usage_error("sheaf: the graph has no vertex " + std::to_string(root) + "; it has " +
                    std::to_string(g.vertices()) + " vertices" +
                    (g.map().has_formula() ? ", whose ids begin with 0" : ", whose ids are those of its edges"));
}

}  // namespace sheaf::detail
