// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/joined_sets.hpp"

#include <algorithm>
#include <utility>

#include "sheaf/graph/detail/exchange.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

using pairs = std::vector<std::pair<vertex, vertex>>;  // an own set, and one of another member

void make_distinct(auto& all) {
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

class joining {
 public:
  joining(graph_shape const& g, vertex_sets const& sets, vertex largest)
      : g_(g), sets_(sets), own_largest_(largest), largest_(all_gather(g.members(), largest)), name_(g) {
    for (vertex v = 0; v < g_.local(); ++v) name_[v] = sets_.known_name(v);
    name_.pull();
  }

  std::vector<pairs> run() {
    std::vector<pairs> found(g_.members().size());
    std::vector<bool> largest_meet(found.size(), false);
    for (std::uint32_t r = 0; r < found.size(); ++r) {
      auto const [first, last] = g_.ghosts_of(r);
      for (vertex v = first; v < last; ++v) {
        vertex const own = sets_.known_name(v);
        if (!g_.is_local(own)) continue;  // no edge to it has been looked at
        if (own == own_largest_ && name_[v] == largest_[r]) {
          largest_meet[r] = true;
        } else if (found[r].empty() || found[r].back() != std::pair{own, name_[v]}) {
          found[r].emplace_back(own, name_[v]);
        }
      }
    }
    if (own_largest_ != ~vertex{0}) look_for_meetings(largest_meet);
    for (std::uint32_t r = 0; r < found.size(); ++r) {
      if (largest_meet[r]) found[r].emplace_back(own_largest_, largest_[r]);
      make_distinct(found[r]);
    }
    return found;
  }

 private:
  /// Of an edge from the largest set of a member to that of another one neither needs to have looked at it. One such
  /// edge for each other member is enough, and as a rule one of the first vertices has it.
  void look_for_meetings(std::vector<bool>& meet) const {
    std::size_t missing = 0;
    for (std::uint32_t r = 0; r < meet.size(); ++r) missing += may_meet(r) && !meet[r] ? 1 : 0;
    for (vertex v = 0; v < g_.local() && missing != 0; ++v) {
      if (sets_.known_name(v) != own_largest_) continue;
      auto const row = g_.out().row(v);
      for (auto at = std::ranges::lower_bound(row, g_.local()); at != row.end(); ++at) {
        std::uint32_t const r = g_.place(*at).rank;
        if (meet[r] || name_[*at] != largest_[r]) continue;
        meet[r] = true;
        --missing;
      }
    }
  }
  [[nodiscard]] bool may_meet(std::uint32_t r) const {
    auto const [first, last] = g_.ghosts_of(r);
    return first != last && largest_[r] != ~vertex{0};
  }

  graph_shape const& g_;
  vertex_sets const& sets_;
  vertex const own_largest_;
  std::vector<vertex> const largest_;  // of each member
  vertex_values<vertex> name_;         // of the set, at the vertex's owner
};

}  // namespace

joined_sets::joined_sets(graph_shape const& g, vertex_sets const& sets, vertex largest) {
  auto found = joining(g, sets, largest).run();
  auto const theirs = detail::exchange(g.members(), found);  // both members are to know a pair
  std::vector<std::pair<vertex, set_place>> all;
  for (std::uint32_t r = 0; r < found.size(); ++r) {
    for (auto const& [own, other] : found[r]) all.push_back({own, {r, other}});
    for (auto const& [other, own] : theirs[r]) all.push_back({own, {r, other}});
  }
  make_distinct(all);
  for (auto const& [own, other] : all) {
    if (names_.empty() || names_.back() != own) {
      names_.push_back(own);
      first_.push_back(first_.back());
    }
    to_.push_back(other);
    ++first_.back();
  }
}

std::size_t joined_sets::position(vertex name) const {
  auto const at = std::ranges::lower_bound(names_, name);
  return at == names_.end() || *at != name ? size() : static_cast<std::size_t>(at - names_.begin());
}

}  // namespace sheaf::detail
