// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Strongly connected components of one location. Result: units, rings of their vertices, and which reach ghosts.
/// Method: Tarjan's in the form of Pearce (A space-efficient algorithm for finding strongly connected components, IPL
/// 116, 2016). Data: a path of its own, as graphs are deeper than stacks; one number for each vertex, which is the
/// smallest that it reaches; only vertices that name no component are on the second stack. Rows begin with own
/// vertices.
#include "graph/local_components.hpp"

#include <algorithm>
#include <numeric>

namespace sheaf::detail {

namespace {

class search {
 public:
  search(adjacency const& rows, std::span<std::uint32_t const> part, std::uint32_t gone)
      : rows_(rows), part_(part), gone_(gone), own_(static_cast<vertex>(rows.first.size() - 1)), low_(own_, unseen) {
    all_.unit.resize(own_);
    all_.next.resize(own_);
    all_.exits.assign(own_, 0);
    std::iota(all_.unit.begin(), all_.unit.end(), vertex{0});
    std::iota(all_.next.begin(), all_.next.end(), vertex{0});
    for (vertex v = 0; v < own_; ++v) {
      if (part_[v] == gone_) low_[v] = done;
    }
  }

  local_components run() {
    for (vertex v = 0; v < own_; ++v) {
      if (low_[v] == unseen) search_from(v);
    }
    return std::move(all_);
  }

 private:
  static constexpr vertex unseen = 0, done = ~vertex{0};
  struct step {
    vertex at, order;
    std::uint64_t edge;
  };

  void enter(vertex v) {
    low_[v] = ++time_;
    path_.push_back({v, time_, rows_.first[v]});
  }
  void search_from(vertex root) {
    enter(root);
    while (!path_.empty()) {
      step& its = path_.back();
      if (its.edge == rows_.first[its.at + 1] || rows_.targets[its.edge] >= own_) {
        leave(its);
        continue;
      }
      vertex const to = rows_.targets[its.edge++];
      if (low_[to] == unseen) {
        enter(to);
      } else {
        all_.exits[its.at] |= all_.exits[to];
        low_[its.at] = std::min(low_[its.at], low_[to]);
      }
    }
  }
  void leave(step its) {
    path_.pop_back();
    vertex const v = its.at;
    for (; its.edge < rows_.first[v + 1] && all_.exits[v] == 0; ++its.edge) {
      if (part_[rows_.targets[its.edge]] == part_[v]) all_.exits[v] = 1;
    }
    if (!path_.empty()) {
      vertex const before = path_.back().at;
      low_[before] = std::min(low_[before], low_[v]);
      all_.exits[before] |= all_.exits[v];
    }
    low_[v] == its.order ? close(v) : open_.push_back(v);
  }
  /// What is open from v on is v's component.
  void close(vertex v) {
    for (; !open_.empty() && low_[open_.back()] >= low_[v]; open_.pop_back()) {
      vertex const its = open_.back();
      all_.unit[its] = v;
      all_.next[its] = all_.next[v];
      all_.next[v] = its;
      all_.exits[its] = all_.exits[v];
      low_[its] = done;
    }
    low_[v] = done;
  }

  adjacency const& rows_;
  std::span<std::uint32_t const> const part_;
  std::uint32_t const gone_;
  vertex const own_;
  std::vector<vertex> low_, open_;
  std::vector<step> path_;
  vertex time_ = 0;
  local_components all_;
};

}  // namespace

local_components find_local_components(adjacency const& rows, std::span<std::uint32_t const> part, std::uint32_t gone) {
  return search(rows, part, gone).run();
}

}  // namespace sheaf::detail
