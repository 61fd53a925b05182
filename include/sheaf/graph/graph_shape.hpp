// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/graph/adjacency.hpp"
#include "sheaf/graph/vertex_map.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

namespace detail {
struct shape_parts;
}

/// Where a vertex is: its owner, and its number there.
struct vertex_place {
  std::uint32_t rank = 0;
  vertex local = 0;
};

/// The structure of a distributed graph: each member of a team owns vertices with the edges that begin there, in
/// compressed sparse rows. What is local is numbered densely, by 32 bits (`vertex`): own vertices, then ghosts, ordered
/// by owner and number there. Immutable. All functions are local.
class graph_shape {
 public:
  [[nodiscard]] team const& members() const { return team_; }
  /// Of the whole graph. An undirected edge counts once.
  [[nodiscard]] std::uint64_t vertices() const { return map_.vertices(); }
  [[nodiscard]] std::uint64_t edges() const { return edges_; }
  [[nodiscard]] bool is_directed() const { return directed_; }

  /// Vertices 0…local()−1 are own ones, local()…all()−1 ghosts.
  [[nodiscard]] vertex local() const { return local_; }
  [[nodiscard]] vertex all() const { return local_ + static_cast<vertex>(ghosts_.size()); }
  [[nodiscard]] bool is_local(vertex v) const { return v < local_; }

  /// The edges that begin at own vertices, and those that end there: the same in undirected graphs. `in` throws
  /// usage_error where graph_options::in_edges was not set.
  [[nodiscard]] adjacency const& out() const { return out_; }
  [[nodiscard]] adjacency const& in() const;
  [[nodiscard]] bool has_in() const { return !directed_ || keeps_in_; }
  /// A bit for each own vertex, 64 to a word: no edge of `in` ends there. Empty unless has_in().
  [[nodiscard]] std::span<std::uint64_t const> not_entered() const { return not_entered_; }

  [[nodiscard]] vertex_place place(vertex v) const {
    return is_local(v) ? vertex_place{rank_, v} : ghosts_[v - local_];
  }
  /// Where place(v) will be asked for soon, of many vertices in no order.
  void prefetch_place(vertex v) const { __builtin_prefetch(ghosts_.data() + (is_local(v) ? 0 : v - local_)); }
  /// Its number in 0…vertices()−1, in which owners' vertices are consecutive.
  [[nodiscard]] std::uint64_t number(vertex v) const {
    vertex_place const at = place(v);
    return map_.first(at.rank) + at.local;
  }
  [[nodiscard]] vertex_map const& map() const { return map_; }
  /// The vertex with this number; none where it is not known here.
  [[nodiscard]] std::optional<vertex> find_number(std::uint64_t number) const;
  /// As the edges of which the graph was made named it.
  [[nodiscard]] std::uint64_t id(vertex v) const { return ids_.empty() ? map_.id(number(v)) : ids_[v]; }
  /// The own vertex with this id; none where another member owns it, or nobody.
  [[nodiscard]] std::optional<vertex> find(std::uint64_t id) const;

  /// Members whose vertices are ghosts here, or that have ghosts of own vertices; ascending.
  [[nodiscard]] std::span<std::uint32_t const> neighbour_ranks() const { return neighbours_; }
  /// The ghosts of a member's vertices here: a range of vertices. Takes a search among neighbour_ranks(), as mirrors_at
  /// does.
  [[nodiscard]] std::pair<vertex, vertex> ghosts_of(std::uint32_t rank) const {
    auto const [first, last] = bounds_at(rank);
    return {ghost_bounds_[first], ghost_bounds_[last]};
  }
  /// The own vertices that are ghosts at a member, in the order of these.
  [[nodiscard]] std::span<vertex const> mirrors_at(std::uint32_t rank) const {
    auto const [first, last] = bounds_at(rank);
    return {mirrors_.data() + mirror_bounds_[first], mirror_bounds_[last] - mirror_bounds_[first]};
  }
  /// Bytes that the structure takes here.
  [[nodiscard]] std::size_t bytes() const;

 protected:
  explicit graph_shape(detail::shape_parts&& parts);

 private:
  /// Where in arrays of bounds a member's range begins and ends.
  [[nodiscard]] std::pair<std::size_t, std::size_t> bounds_at(std::uint32_t rank) const {
    auto const at = std::lower_bound(neighbours_.begin(), neighbours_.end(), rank);
    auto const first = static_cast<std::size_t>(at - neighbours_.begin());
    return {first, first + (at != neighbours_.end() && *at == rank ? 1 : 0)};
  }
  void find_neighbours(std::vector<std::uint64_t> const& ghost_numbers);
  void find_ids_of_ghosts();

  team team_;
  vertex_map map_;
  std::uint32_t rank_;
  vertex local_;
  bool directed_, keeps_in_;
  std::uint64_t edges_;
  adjacency out_, in_;
  std::vector<std::uint64_t> not_entered_;
  std::vector<vertex_place> ghosts_;
  std::vector<std::uint32_t> neighbours_;
  std::vector<vertex> ghost_bounds_;          // of each neighbour, and the end
  std::vector<std::uint64_t> mirror_bounds_;  // likewise, in:
  std::vector<vertex> mirrors_;
  std::vector<std::uint64_t> ids_;  // of all; empty: the map has a formula
  std::vector<vertex> by_id_;       // own ones, ascending by id; empty: they are
};

}  // namespace sheaf
