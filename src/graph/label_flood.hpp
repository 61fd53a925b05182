// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "graph/work_list.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/graph/vertex_messages.hpp"
#include "sheaf/graph/vertex_values.hpp"

namespace sheaf::detail {

/// For verifiers of components whose labels are ids. All members make it in the same order.
class label_flood {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// `label`: of ghosts, too.
  label_flood(graph_shape const& g, vertex_values<std::uint64_t> const& label) : g_(g), label_(label), name_(g, none) {}

  /// Collective. From each vertex whose label is its own id, along `rows`, over vertices with that label. One epoch.
  void run(adjacency const& rows) {
    rows_ = &rows;
    for (vertex v = 0; v < g_.all(); ++v) name_[v] = none;
    barrier(g_.members());  // nobody sends before all have forgotten
    epoch(g_.members(), [this] {
      for (vertex v = 0; v < g_.local(); ++v) {
        if (label_[v] == g_.id(v)) reach(v, g_.number(v));
      }
    });
    name_.pull();
  }
  /// The number of the vertex from which v was reached, or none. Of ghosts, too.
  std::uint64_t operator[](vertex v) const { return name_[v]; }

 private:
  struct expanding {
    label_flood* whole;
    void operator()(vertex v) { whole->expand(v); }
  };

  void reach(vertex v, std::uint64_t name) {
    if (name_[v] != none) return;
    name_[v] = name;
    waiting_.add(v);
  }
  void expand(vertex v) {
    for (vertex const to : rows_->row(v)) {
      if (name_[to] != none || label_[to] != label_[v]) continue;
      if (g_.is_local(to)) {
        reach(to, name_[v]);
      } else {
        name_[to] = name_[v];
        visit_.send(to, name_[v]);
      }
    }
  }

  graph_shape const& g_;
  vertex_values<std::uint64_t> const& label_;
  adjacency const* rows_ = nullptr;
  vertex_values<std::uint64_t> name_;
  work_list<expanding> waiting_{g_, expanding{this}};
  vertex_messages<std::uint64_t> visit_{g_, [this](vertex v, std::uint64_t name) { reach(v, name); }};
};

}  // namespace sheaf::detail
