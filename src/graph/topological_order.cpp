// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Topological order. Result: the length of the longest path to each own vertex. Method: Kahn's (Topological Sorting of
/// Large Networks, CACM 5, 1962), without rounds: the level of a vertex is final when its last edge has been passed.
/// Data: for own vertices the number of edges from here that are not passed, and of members that have such edges; for
/// ghosts that of edges from here, and the largest level that they give, so that each is sent to once.
#include "sheaf/graph/topological_order.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "graph/work_list.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/graph/vertex_messages.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

class passing {
 public:
  explicit passing(graph_shape const& g) : g_(g), waits_(g.all(), 0), level_(g.all(), 0) {}

  topological_levels run() {
    count();
    epoch(g_.members(), [this] {
      for (vertex v = 0; v < g_.local(); ++v) {
        if (waits_[v] == 0 && !is_given_[v]) give(v);
      }
    });
    return result();
  }

 private:
  void count() {
    vertex_values<std::uint32_t> members(g_, 0);
    for (vertex const to : g_.out().targets) {
      ++waits_[to];
      if (!g_.is_local(to)) members[to] = 1;
    }
    members.push(std::plus<>{}, 0);
    for (vertex v = 0; v < g_.local(); ++v) waits_[v] += members[v];
    barrier(g_.members());  // all have counted
  }
  void give(vertex v) {
    is_given_[v] = 1;
    work_.add(v);
  }
  void expand(vertex v) {
    std::uint32_t const above = level_[v] + 1;
    for (vertex const to : g_.out().row(v)) {
      level_[to] = std::max(level_[to], above);
      if (--waits_[to] != 0) continue;
      g_.is_local(to) ? give(to) : pass_.send(to, level_[to]);
    }
  }
  void arrive(vertex v, std::uint32_t level) {
    level_[v] = std::max(level_[v], level);
    if (--waits_[v] == 0) give(v);
  }
  topological_levels result() {
    constexpr std::uint64_t nobody = ~std::uint64_t{0};
    topological_levels all;
    all.level.resize(g_.local());
    std::array<std::uint64_t, 3> sums{0, 0, nobody};  // levels, left, smallest id
    for (vertex v = 0; v < g_.local(); ++v) {
      all.level[v] = is_given_[v] ? level_[v] : topological_levels::none;
      if (is_given_[v]) sums[0] = std::max<std::uint64_t>(sums[0], level_[v] + std::uint64_t{1});
      if (!is_given_[v]) sums = {sums[0], sums[1] + 1, std::min(sums[2], g_.id(v))};
    }
    sums = all_reduce(g_.members(), sums, [](auto const& a, auto const& b) {
      return std::array<std::uint64_t, 3>{std::max(a[0], b[0]), a[1] + b[1], std::min(a[2], b[2])};
    });
    all.levels = static_cast<std::uint32_t>(sums[0]);
    all.left = sums[1];
    if (all.left != 0) all.cyclic = sums[2];
    return all;
  }

  struct expanding {
    passing& all;
    void operator()(vertex v) const { all.expand(v); }
  };

  graph_shape const& g_;
  std::vector<std::uint32_t> waits_, level_;
  std::vector<std::uint8_t> is_given_ = std::vector<std::uint8_t>(g_.local(), 0);
  detail::work_list<expanding> work_{g_, expanding{*this}};
  vertex_messages<std::uint32_t> pass_{g_, [this](vertex v, std::uint32_t level) { arrive(v, level); }};
};

}  // namespace

topological_levels topological_order(graph_shape const& g) { return passing(g).run(); }

}  // namespace sheaf
