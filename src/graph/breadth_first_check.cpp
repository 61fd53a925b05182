// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The verifier of breadth-first trees. If no edge leads from a reached vertex to one that is more than a level below,
/// no level is larger than the distance from the root; if each vertex has a parent one level above, none is smaller.
#include <algorithm>
#include <functional>
#include <string>

#include "sheaf/active/epoch.hpp"
#include "sheaf/graph/breadth_first.hpp"
#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/vertex_messages.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

class check : detail::verdict {
 public:
  check(graph_shape const& g, std::uint64_t root, bfs_tree const& tree)
      : g_(g), root_(root), tree_(tree), level_(g, bfs_tree::unreached) {}

  std::string run() {
    std::ranges::copy(tree_.level, level_.own().begin());
    level_.pull();
    for (vertex v = 0; v < g_.local(); ++v) look_at(v);
    epoch(g_.members(), [this] {
      for (vertex v = 0; v < g_.local(); ++v) ask_parent(v);
    });
    std::uint64_t const reached = all_reduce(g_.members(), reached_, std::plus<>{});
    std::uint64_t const edges = all_reduce(g_.members(), edges_, std::plus<>{});
    if (reached != tree_.reached)
      wrong("the tree says that it has " + std::to_string(tree_.reached) + " vertices, and has " +
            std::to_string(reached));
    if (edges != tree_.edges)
      wrong("the tree says that it has " + std::to_string(tree_.edges) + " edges, and has " + std::to_string(edges));
    return agreed(g_.members());
  }

 private:
  struct child {
    std::uint64_t number;
    std::uint32_t level;
  };

  [[nodiscard]] std::string name(vertex v) const {
    return "vertex " + std::to_string(g_.id(v)) + " (level " + std::to_string(level_[v]) + ")";
  }

  void look_at(vertex v) {
    bool const is_root = g_.id(v) == root_, is_reached = level_[v] != bfs_tree::unreached;
    bool const is_own_parent = tree_.parent[v] == g_.number(v);
    if (is_root != is_own_parent || is_root != (level_[v] == 0))
      wrong(name(v) + (is_root ? ", the root, is not its own parent at level 0"
                               : " is its own parent or at level 0, but not the root"));
    if (is_reached != (tree_.parent[v] != bfs_tree::no_parent))
      wrong(name(v) + " has a parent without a level, or a level without a parent");
    if (!is_reached) return;
    ++reached_;
    edges_ += g_.out().degree(v);
    for (vertex const to : g_.out().row(v)) {
      if (level_[to] > level_[v] + 1) wrong("an edge leads from " + name(v) + " to " + name(to));
    }
  }
  void ask_parent(vertex v) {
    if (level_[v] == bfs_tree::unreached || level_[v] == 0 || tree_.parent[v] >= g_.vertices()) return;
    std::uint32_t const owner = g_.map().owner(tree_.parent[v]);
    child_.send(owner, {static_cast<vertex>(tree_.parent[v] - g_.map().first(owner)), {g_.number(v), level_[v]}});
  }
  void take_child(vertex v, child const& its) {
    auto const to = g_.find_number(its.number);
    if (!to || !std::ranges::binary_search(g_.out().row(v), *to))
      return wrong("no edge leads from " + name(v) + " to vertex number " + std::to_string(its.number) + ", its child");
    if (its.level != level_[v] + 1) wrong(name(v) + " has a child at level " + std::to_string(its.level));
  }

  graph_shape const& g_;
  std::uint64_t const root_;
  bfs_tree const& tree_;
  vertex_values<std::uint32_t> level_;
  std::uint64_t reached_ = 0, edges_ = 0;
  message_type<detail::vertex_message<child>> child_{
      g_.members(), [this](detail::vertex_message<child> const& one) { take_child(one.to, one.value); }};
};

}  // namespace

std::string wrong_in(graph_shape const& g, std::uint64_t root, bfs_tree const& tree) {
  return check(g, root, tree).run();
}

}  // namespace sheaf
