// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The verifier of components. If neighbours have one label, no label is larger than the vertex's id, and each vertex
/// is reached from one whose label is its own id, labels are the smallest ids of components.
#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/label_flood.hpp"
#include "sheaf/graph/connected_components.hpp"
#include "sheaf/graph/detail/exchange.hpp"
#include "sheaf/graph/detail/renumbered.hpp"
#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

class check : detail::verdict {
 public:
  check(graph_shape const& g, components const& all) : g_(g), all_(all), label_(g) {}

  std::string run() {
    std::ranges::copy(all_.label, label_.own().begin());
    label_.pull();
    for (vertex v = 0; v < g_.local(); ++v) look_at(v);
    if (g_.is_directed()) {
      look_for_paths(undirected());
    } else {
      look_for_paths(g_);
    }
    compare("components", all_.count, all_reduce(g_.members(), named_, std::plus<>{}));
    compare("vertices in the largest one", all_.largest, largest());
    return agreed(g_.members());
  }

 private:
  [[nodiscard]] std::string name(vertex v) const {
    return "vertex " + std::to_string(g_.id(v)) + " (label " + std::to_string(label_[v]) + ")";
  }

  void look_at(vertex v) {
    if (label_[v] > g_.id(v)) wrong(name(v) + " has a label larger than its id");
    named_ += label_[v] == g_.id(v) ? 1 : 0;
    for (vertex const to : g_.out().row(v)) {
      if (label_[to] != label_[v]) wrong("an edge leads from " + name(v) + " to " + name(to));
    }
  }
  /// `both`: the graph, undirected.
  void look_for_paths(graph_shape const& both) {
    vertex_values<std::uint64_t> label(both);
    std::ranges::copy(all_.label, label.own().begin());
    label.pull();
    detail::label_flood flood(both, label);
    flood.run(both.out());
    for (vertex v = 0; v < g_.local(); ++v) {
      if (flood[v] == detail::label_flood::none)
        wrong("no path leads from " + name(v) + " to the vertex that its label names");
    }
  }
  [[nodiscard]] graph<> undirected() const {
    std::vector<edge<>> edges;
    for (vertex v = 0; v < g_.local(); ++v) {
      for (vertex const to : g_.out().row(v)) edges.push_back({g_.id(v), g_.id(to)});
    }
    graph_options how = detail::options_of(g_);
    how.directed = how.in_edges = false;
    return detail::graph_builder<no_value>(g_.members(), std::move(edges), how, detail::numbers_of(g_)).build();
  }
  std::uint64_t largest() {
    std::unordered_map<std::uint64_t, std::uint64_t> sizes;
    for (std::uint64_t const label : all_.label) ++sizes[label];
    std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> parts(g_.members().size());
    for (auto const& each : sizes) parts[each.first % parts.size()].push_back(each);
    sizes.clear();
    std::uint64_t most = 0;
    for (auto const& part : detail::exchange(g_.members(), parts)) {
      for (auto const& [label, size] : part) most = std::max(most, sizes[label] += size);
    }
    return all_reduce(g_.members(), most, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  }

  graph_shape const& g_;
  components const& all_;
  vertex_values<std::uint64_t> label_;
  std::uint64_t named_ = 0;
};

}  // namespace

std::string wrong_in(graph_shape const& g, components const& all) { return check(g, all).run(); }

}  // namespace sheaf
