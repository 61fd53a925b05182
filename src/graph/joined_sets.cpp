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
  joining(graph_shape const& g, vertex_sets& sets, vertex largest)
      : g_(g),
        sets_(sets),
        own_largest_(largest),
        largest_(all_gather(g.members(), largest)),
        meets_(largest_.size(), false),
        name_(g) {
    for (vertex v = 0; v < g_.local(); ++v) name_[v] = sets_.known_name(v);
    name_.pull();
    if (own_largest_ != ~vertex{0}) look_for_meetings();
  }

  /// The pairs that are left. Where the largest sets of two members meet, other sets that meet one of them are united
  /// with their own member's at once.
  std::vector<pairs> run() {
    std::vector<pairs> found(g_.members().size());
    for (std::uint32_t r = 0; r < found.size(); ++r) {
      if (meets_[r]) found[r].emplace_back(own_largest_, largest_[r]);
      auto const [first, last] = g_.ghosts_of(r);
      for (vertex v = first; v < last; ++v) {
        vertex const own = sets_.known_name(v);
        if (!g_.is_local(own)) continue;                 // no edge to it has been looked at
        if (meets_[r] && own == own_largest_) continue;  // its owner unites it, or tells of it
        if (meets_[r] && name_[v] == largest_[r]) {
          sets_.unite(own_largest_, own);
        } else if (found[r].empty() || found[r].back() != std::pair{own, name_[v]}) {
          found[r].emplace_back(own, name_[v]);
        }
      }
    }
    sets_.compress();
    for (pairs& each : found) {
      for (auto& one : each) one.first = sets_.known_name(one.first);
      make_distinct(each);
    }
    return found;
  }

 private:
  /// Of an edge from the largest set of a member to that of another one neither needs to have looked at it. One such
  /// edge for each other member is enough, and as a rule one of the first vertices has it.
  void look_for_meetings() {
    std::size_t missing = 0;
    for (std::uint32_t r = 0; r < meets_.size(); ++r) missing += may_meet(r) ? 1 : 0;
    for (vertex v = 0; v < g_.local() && missing != 0; ++v) {
      if (sets_.known_name(v) != own_largest_) continue;
      auto const row = g_.out().row(v);
      for (auto at = std::ranges::lower_bound(row, g_.local()); at != row.end(); ++at) {
        std::uint32_t const r = g_.place(*at).rank;
        if (meets_[r] || name_[*at] != largest_[r]) continue;
        meets_[r] = true;
        --missing;
      }
    }
  }
  [[nodiscard]] bool may_meet(std::uint32_t r) const {
    auto const [first, last] = g_.ghosts_of(r);
    return first != last && largest_[r] != ~vertex{0};
  }

  graph_shape const& g_;
  vertex_sets& sets_;
  vertex const own_largest_;
  std::vector<vertex> const largest_;  // of each member
  std::vector<bool> meets_;            // the own largest set and that of each member
  vertex_values<vertex> name_;         // of the set, at the vertex's owner
};

}  // namespace

joined_sets::joined_sets(graph_shape const& g, vertex_sets& sets, vertex largest) {
  auto const found = joining(g, sets, largest).run();
  auto const theirs = detail::exchange(g.members(), found);  // both members are to know a pair
  std::vector<std::vector<vertex>> now(found.size());        // their sets may be united with others, too
  for (std::uint32_t r = 0; r < found.size(); ++r) {
    for (auto const& each : theirs[r]) now[r].push_back(sets.known_name(each.second));
  }
  auto const names = detail::exchange(g.members(), now);
  std::vector<std::pair<vertex, set_place>> all;
  for (std::uint32_t r = 0; r < found.size(); ++r) {
    for (std::size_t k = 0; k < found[r].size(); ++k) all.push_back({found[r][k].first, {r, names[r][k]}});
    for (std::size_t k = 0; k < theirs[r].size(); ++k) all.push_back({now[r][k], {r, theirs[r][k].first}});
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
