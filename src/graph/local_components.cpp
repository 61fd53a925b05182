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
  /// What low_ says of vertices whose component is known: whether a path leads from them to a ghost.
  static constexpr vertex unseen = 0, leads_to_ghost = ~vertex{0}, done = leads_to_ghost - 1;
  struct step {
    std::uint64_t edge, end;
    vertex at, order, low;
    std::uint32_t exits;
  };

  step enter(vertex v) {
    low_[v] = ++time_;
    return {rows_.first[v], rows_.first[v + 1], v, time_, time_, 0};
  }
  void search_from(vertex root) {
    step now = enter(root);
    while (true) {
      while (now.edge != now.end && rows_.targets[now.edge] < own_) {
        vertex const to = rows_.targets[now.edge++], low = low_[to];
        if (low != unseen) {
          now.low = std::min(now.low, low);
          now.exits |= low == leads_to_ghost ? 1U : 0U;
        } else {
          path_.push_back(now);
          now = enter(to);
        }
      }
      leave(now);
      if (path_.empty()) return;
      step& before = path_.back();
      before.low = std::min(before.low, now.low);
      before.exits |= now.exits;
      now = before;
      path_.pop_back();
    }
  }
  void leave(step& its) {
    for (; its.exits == 0 && its.edge != its.end; ++its.edge)
      its.exits = part_[rows_.targets[its.edge]] == part_[its.at] ? 1 : 0;
    low_[its.at] = its.low;
    its.low == its.order ? close(its) : open_.push_back(its.at);
  }
  /// What is open from there on is the vertex's component.
  void close(step const& its) {
    vertex const v = its.at, known = its.exits != 0 ? leads_to_ghost : done;
    for (; !open_.empty() && low_[open_.back()] >= its.low; open_.pop_back()) {
      vertex const other = open_.back();
      all_.unit[other] = v;
      all_.next[other] = all_.next[v];
      all_.next[v] = other;
      low_[other] = known;
    }
    low_[v] = known;
    all_.exits[v] = its.exits != 0 ? 1 : 0;
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
