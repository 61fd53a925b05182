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

#include "sheaf/graph/connected_components.hpp"
#include "sheaf/graph/detail/exchange.hpp"
#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

class check : detail::verdict {
 public:
  check(graph_shape const& g, components const& all) : g_(g), all_(all), label_(g), known_(g, 0) {}

  std::string run() {
    std::ranges::copy(all_.label, label_.own().begin());
    label_.pull();
    for (vertex v = 0; v < g_.local(); ++v) look_at(v);
    flood();
    for (vertex v = 0; v < g_.local(); ++v) {
      if (known_[v] == 0) wrong("no path leads from " + name(v) + " to the vertex that its label names");
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
    if (label_[v] == g_.id(v)) known_[v] = 1;
    named_ += known_[v];
    for (vertex const to : g_.out().row(v)) {
      if (label_[to] != label_[v]) wrong("an edge leads from " + name(v) + " to " + name(to));
    }
  }
  /// To all vertices that a path joins with known ones.
  void flood() {
    for (std::uint64_t found = 1; found != 0;) {
      known_.pull();
      std::uint64_t own = 0;
      while (std::uint64_t const here = spread()) own += here;
      known_.push([](std::uint8_t a, std::uint8_t b) { return std::uint8_t(a | b); }, 0);
      found = all_reduce(g_.members(), own, std::plus<>{});
    }
  }
  std::uint64_t spread() {
    std::uint64_t found = 0;
    for (vertex v = 0; v < g_.local(); ++v) {
      for (vertex const to : g_.out().row(v)) {
        if (known_[v] == known_[to]) continue;
        known_[v] = known_[to] = 1;
        ++found;
      }
    }
    return found;
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
  vertex_values<std::uint8_t> known_;
  std::uint64_t named_ = 0;
};

}  // namespace

std::string wrong_in(graph_shape const& g, components const& all) { return check(g, all).run(); }

}  // namespace sheaf
