// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/graph/connected_components.hpp"
#include "sheaf/graph/derived.hpp"
#include "sheaf/graph/detail/forest_edges.hpp"
#include "sheaf/graph/detail/forest_tree.hpp"
#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// The verifier of spanning forests. Edges of the graph that join what the graph joins, and are as many as joining
/// takes, are a spanning forest. It is a minimum one if no edge is lighter than one of the forest's between its ends
/// (Tarjan 1979). Each member gets the whole forest for that, where that is not too large. Else this is looked at for a
/// few weights: whether the forest's lighter edges join what the graph's lighter ones join.
template <class W, class Forest>
class forest_check : verdict {
 public:
  /// `most_gathered`: vertices of a graph up to which each member gets the forest.
  forest_check(graph<W> const& g, Forest const& all, std::uint64_t most_gathered)
      : g_(g), all_(all), most_gathered_(most_gathered) {}

  std::string run() {
    for (edge<W> const& each : all_.edges) look_at(each);
    compare_weight();
    std::uint64_t const count = all_reduce(g_.members(), std::uint64_t{all_.edges.size()}, std::plus<>{});
    compare("edges", all_.count, count);
    components const whole = connected_components(g_), joined = connected_components(with(all_.edges));
    for (vertex v = 0; v < g_.local(); ++v) {
      if (whole.label[v] != joined.label[v])
        wrong("the forest does not join vertices " + std::to_string(g_.id(v)) + " and " +
              std::to_string(whole.label[v]));
    }
    compare("trees", all_.trees, whole.count);
    if (count + joined.count != g_.vertices())
      wrong("the forest has " + std::to_string(count) + " edges, where " +
            std::to_string(g_.vertices() - joined.count) + " join the same vertices");
    if (g_.vertices() <= most_gathered_) {
      compare_heaviest();
    } else {
      for (W const weight : some_weights()) compare_below(weight);
    }
    return agreed(g_.members());
  }

 private:
  static constexpr std::size_t most_weights = 8;

  void look_at(edge<W> const& one) {
    auto const holds = [&](std::uint64_t from, std::uint64_t to) {
      auto const v = g_.find(from);
      if (!v) return false;
      bool found = false;
      g_.for_each_edge(*v, [&](vertex other, W const& weight) {
        if (found || g_.id(other) != to || !(weight == one.value)) return;
        found = true;
        known_.push_back({g_.number(*v), g_.number(other), ordered_key(weight)});
      });
      return found;
    };
    if (!holds(one.source, one.target) && !holds(one.target, one.source))
      wrong("this member has no edge from " + std::to_string(one.source) + " to " + std::to_string(one.target) +
            " of weight " + std::to_string(one.value));
  }
  void compare_weight() {
    using sum = decltype(all_.weight);
    std::pair<sum, sum> found{};  // of weights; of their absolute values, where sums are rounded
    for (edge<W> const& each : all_.edges) {
      auto const weight = static_cast<sum>(each.value);
      found.first += weight;
      if constexpr (std::floating_point<sum>) found.second += std::abs(weight);
    }
    auto const add = [](auto const& a, auto const& b) {
      return std::pair<sum, sum>(a.first + b.first, a.second + b.second);
    };
    found = all_reduce(g_.members(), found, add);
    if constexpr (std::floating_point<sum>) {
      if (!std::isfinite(found.second)) return;  // a sum that doubles do not hold says nothing
    }
    constexpr double rounding = std::floating_point<sum> ? 1e-9 : 0;
    sum const apart = all_.weight < found.first ? found.first - all_.weight : all_.weight - found.first;
    if (!(static_cast<double>(apart) <= rounding * static_cast<double>(found.second)))
      wrong("the result says that all edges weigh " + std::to_string(all_.weight) + ", and they weigh " +
            std::to_string(found.first));
  }
  void compare_heaviest() {
    forest_tree const tree(g_.vertices(), all_gather(g_.members(), std::span<keyed_edge const>(known_)));
    for (vertex v = 0; v < g_.local(); ++v) {
      g_.for_each_edge(v, [&](vertex to, W const& weight) {
        if (ordered_key(weight) < tree.heaviest(g_.number(v), g_.number(to)))
          wrong("the edge from " + std::to_string(g_.id(v)) + " to " + std::to_string(g_.id(to)) + " of weight " +
                std::to_string(weight) + " is lighter than one of the forest between them");
      });
    }
  }
  /// The graph's vertices with these edges.
  [[nodiscard]] graph<W> with(std::vector<edge<W>> edges) const {
    graph_options const how = options_of(g_);
    return graph_builder<W>(g_.members(), std::move(edges), how, numbers_of(g_)).build();
  }
  [[nodiscard]] std::vector<W> some_weights() const {
    std::vector<W> own, all, some;
    for (edge<W> const& each : all_.edges) own.push_back(each.value);
    for (auto const& part : all_gather(g_.members(), own)) all.insert(all.end(), part.begin(), part.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (std::size_t k = 0; k < std::min(all.size(), most_weights); ++k)
      some.push_back(all[k * all.size() / std::min(all.size(), most_weights)]);
    return some;
  }
  void compare_below(W weight) {
    auto const light = [&](std::vector<edge<W>> edges) {
      std::erase_if(edges, [&](edge<W> const& each) { return !(each.value < weight); });
      return connected_components(with(std::move(edges))).count;
    };
    std::uint64_t const joined = light(all_.edges), possible = light(edges_of(g_));
    if (joined != possible)
      wrong("edges of weights below " + std::to_string(weight) + " leave " + std::to_string(possible) +
            " components, and those of the forest leave " + std::to_string(joined));
  }

  graph<W> const& g_;
  Forest const& all_;
  std::uint64_t const most_gathered_;
  std::vector<keyed_edge> known_;  // edges of the forest that are here
};

}  // namespace sheaf::detail
