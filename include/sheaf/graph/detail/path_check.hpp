// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/path_tree.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// The verifier of shortest paths. If no edge gives a shorter path, no distance is too large; if each vertex has a
/// parent whose edge is as long as the distance between them, none is too small.
template <class W>
class path_check : verdict {
  using tree_type = path_tree<W>;
  using distance = typename tree_type::distance_type;

 public:
  path_check(graph<W> const& g, std::uint64_t root, tree_type const& tree)
      : g_(g), root_(root), tree_(tree), distance_(g, tree_type::unreached) {}

  std::string run() {
    std::ranges::copy(tree_.distance, distance_.own().begin());
    distance_.pull();
    for (vertex v = 0; v < g_.local(); ++v) look_at(v);
    epoch(g_.members(), [this] {
      for (vertex v = 0; v < g_.local(); ++v) ask_parent(v);
    });
    std::uint64_t const reached = all_reduce(g_.members(), reached_, std::plus<>{});
    if (reached != tree_.reached)
      wrong("the tree says that it has " + std::to_string(tree_.reached) + " vertices, and has " +
            std::to_string(reached));
    return agreed(g_.members());
  }

 private:
  struct child {
    vertex parent;
    std::uint64_t number;
    distance length;
  };

  [[nodiscard]] std::string name(vertex v) const {
    return "vertex " + std::to_string(g_.id(v)) + " (distance " + std::to_string(distance_[v]) + ")";
  }

  void look_at(vertex v) {
    bool const is_root = g_.id(v) == root_, is_reached = distance_[v] != tree_type::unreached;
    if (is_root != (tree_.parent[v] == g_.number(v)) || (is_root && distance_[v] != 0))
      wrong(name(v) +
            (is_root ? ", the root, is not its own parent at distance 0" : " is its own parent, but not the root"));
    if (is_reached != (tree_.parent[v] != tree_type::no_parent))
      wrong(name(v) + " has a parent without a distance, or a distance without a parent");
    if (!is_reached) return;
    ++reached_;
    g_.for_each_edge(v, [&](vertex to, W weight) {
      if (distance_[v] + static_cast<distance>(weight) < distance_[to])
        wrong("the edge from " + name(v) + " to " + name(to) + " with the weight " + std::to_string(weight) +
              " gives a shorter path");
    });
  }
  void ask_parent(vertex v) {
    if (distance_[v] == tree_type::unreached || g_.id(v) == root_ || tree_.parent[v] >= g_.vertices()) return;
    std::uint32_t const owner = g_.map().owner(tree_.parent[v]);
    child_.send(owner, {static_cast<vertex>(tree_.parent[v] - g_.map().first(owner)), g_.number(v), distance_[v]});
  }
  void take_child(child const& its) {
    vertex const v = its.parent;
    auto const to = g_.find_number(its.number);
    bool has_edge = false;
    g_.for_each_edge(v, [&](vertex other, W weight) {
      has_edge |= other == to && distance_[v] + static_cast<distance>(weight) == its.length;
    });
    if (!has_edge)
      wrong("no edge from " + name(v) + " leads to vertex number " + std::to_string(its.number) +
            ", its child, at distance " + std::to_string(its.length));
  }

  graph<W> const& g_;
  std::uint64_t const root_;
  tree_type const& tree_;
  vertex_values<distance> distance_;
  std::uint64_t reached_ = 0;
  message_type<child> child_{g_.members(), [this](child const& its) { take_child(its); }};
};

}  // namespace sheaf::detail
