// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/detail/root.hpp"

#include <functional>
#include <string>

#include "sheaf/base/error.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

std::optional<vertex> checked_root(graph_shape const& g, std::uint64_t root) {
  auto const own = g.find(root);
  if (all_reduce(g.members(), std::uint64_t{own ? 1U : 0U}, std::plus<>{}) != 0) return own;
  throw usage_error("sheaf: the graph has no vertex " + std::to_string(root) + "; it has " +
                    std::to_string(g.vertices()) + " vertices" +
                    (g.map().has_formula() ? ", whose ids begin with 0" : ", whose ids are those of its edges"));
}

}  // namespace sheaf::detail
