// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The verifier of betweenness. Each vertex gets a random toll. The sum of values times tolls is, over all pairs of a
/// source and a target, the mean toll of the shortest paths between them, without their ends. A pass forward by levels
/// finds that; there is no way back, as there is in the algorithm. Values that are wrong have this sum by chance only.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "graph/path_scale.hpp"
#include "sheaf/graph/betweenness.hpp"
#include "sheaf/graph/breadth_first.hpp"
#include "sheaf/graph/detail/random_words.hpp"
#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

/// The shortest paths from the source to a vertex.
struct paths {
  double count = 0;
  double tolls = 0;  ///< of all vertices on all paths, without the ends
};

class check : detail::verdict {
 public:
  check(graph_shape const& g, std::vector<double> const& all)
      : g_(g), all_(all), level_(g, 0), paths_(g), order_(g.local()) {}

  std::string run(std::span<std::uint64_t const> sources) {
    double said = 0, found = 0;
    for (vertex v = 0; v < g_.local(); ++v) {
      if (!(all_[v] >= 0)) wrong("vertex " + std::to_string(g_.id(v)) + " has the value " + std::to_string(all_[v]));
      said += all_[v] * toll(v);
    }
    for (std::uint64_t const source : sources) found += mean_tolls(source);
    said = all_reduce(g_.members(), said, std::plus<>{});
    found = all_reduce(g_.members(), found, std::plus<>{});
    constexpr double rounding = 1e-9;
    if (!(std::abs(said - found) <= rounding * (1 + found)))
      wrong("values times random tolls have the sum " + std::to_string(said) + ", and shortest paths have " +
            std::to_string(found));
    return agreed(g_.members());
  }

 private:
  [[nodiscard]] double toll(vertex v) const {
    constexpr std::uint64_t purpose = 0x746f6c6c;
    return detail::random_words(1, purpose).unit(g_.id(v)) + 0.5;
  }

  /// Of the paths from a source to own vertices.
  double mean_tolls(std::uint64_t source) {
    bfs_tree const tree = breadth_first(g_, source);
    std::ranges::copy(tree.level, level_.own().begin());
    level_.pull();
    for (vertex v = 0; v < g_.all(); ++v) paths_[v] = {};
    if (auto const v = g_.find(source)) paths_[*v].count = 1;
    std::iota(order_.begin(), order_.end(), vertex{0});
    std::ranges::sort(order_, {}, [this](vertex v) { return level_[v]; });
    auto next = order_.begin();
    for (std::uint32_t level = 0; level < tree.depth; ++level) {
      for (; next != order_.end() && level_[*next] == level; ++next) go_on(*next);
      paths_.push([](paths a, paths b) { return paths{a.count + b.count, a.tolls + b.tolls}; }, {});
      scale(next, level + 1);
    }
    double sum = 0;
    for (vertex v = 0; v < g_.local(); ++v) sum += paths_[v].count > 0 ? paths_[v].tolls / paths_[v].count : 0;
    return sum;
  }
  /// The paths to own vertices of a level, which begin at `next`.
  void scale(std::vector<vertex>::const_iterator next, std::uint32_t level) {
    auto const last = std::find_if(next, order_.cend(), [&](vertex v) { return level_[v] != level; });
    double most = 0;
    for (auto v = next; v != last; ++v) most = std::max(most, paths_[*v].count);
    double const by =
        detail::scale_of_paths(all_reduce(g_.members(), most, [](double a, double b) { return std::max(a, b); }));
    if (by == 1) return;
    for (auto v = next; v != last; ++v) paths_[*v] = {paths_[*v].count * by, paths_[*v].tolls * by};
  }
  void go_on(vertex v) {
    double const own = level_[v] == 0 ? 0 : toll(v);
    for (vertex const to : g_.out().row(v)) {
      if (level_[to] != level_[v] + 1) continue;
      paths_[to].count += paths_[v].count;
      paths_[to].tolls += paths_[v].tolls + paths_[v].count * own;
    }
  }

  graph_shape const& g_;
  std::vector<double> const& all_;
  vertex_values<std::uint32_t> level_;
  vertex_values<paths> paths_;
  std::vector<vertex> order_;  // own vertices by level
};

}  // namespace

std::string wrong_in(graph_shape const& g, std::span<std::uint64_t const> sources, std::vector<double> const& all) {
  return check(g, all).run(sources);
}

}  // namespace sheaf
