// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/graph/adjacency.hpp"
#include "sheaf/graph/graph_options.hpp"
#include "sheaf/graph/graph_shape.hpp"
#include "sheaf/graph/vertex_map.hpp"
#include "sheaf/runtime/team.hpp"

/// How a graph is built, without its values.
namespace sheaf::detail {

struct shape_parts {
  team members;
  vertex_map map;
  bool directed = true, keeps_in = false;
  std::uint64_t edges = 0;
  adjacency out, in;
  std::vector<std::uint64_t> ghost_numbers;  ///< ascending
  std::vector<std::uint64_t> own_ids;        ///< empty: the map has a formula
};

/// The numbers of the vertices of edges, whose ids are given in any order, with repetitions. Collective.
struct numbered_ids {
  vertex_map map;
  std::vector<std::uint64_t> own_ids;  ///< empty: the map has a formula
  std::vector<std::uint64_t> ids;      ///< the distinct ones of those given, ascending; empty: the map has a formula
  std::vector<std::uint64_t> numbers;  ///< of these

  [[nodiscard]] std::uint64_t number(std::uint64_t id) const;
};
/// `largest`: id here, or 0 where there is none. Throws usage_error on all members for an id beyond n.
numbered_ids number_by_formula(team const& members, graph_options const& how, bool any, std::uint64_t largest);
/// For the distributions hash and degree.
numbered_ids number_by_table(team const& members, graph_options const& how, std::vector<std::uint64_t> ids);

/// Finds positions in a set of numbers of 0…n−1.
class number_set {
 public:
  /// Of `most` numbers at most, repetitions included, of which none is in `without`.
  number_set(std::uint64_t n, std::uint64_t most, std::pair<std::uint64_t, std::uint64_t> without);
  void insert(std::uint64_t number) {
    if (number - without_.first < without_.second - without_.first) return;
    if (!bits_.empty()) {
      bits_[number / 64] |= std::uint64_t{1} << number % 64;
    } else {
      sorted_.push_back(number);
    }
  }
  /// Behind the last insert. All, ascending.
  std::vector<std::uint64_t> finish();
  /// How many are smaller; of one that is in the set.
  [[nodiscard]] std::uint64_t position(std::uint64_t number) const {
    if (bits_.empty()) return search(number);
    std::uint64_t const below = bits_[number / 64] & ((std::uint64_t{1} << number % 64) - 1);
    return before_[number / 64] + static_cast<std::uint64_t>(__builtin_popcountll(below));
  }

 private:
  [[nodiscard]] std::uint64_t search(std::uint64_t number) const;

  std::pair<std::uint64_t, std::uint64_t> without_;
  std::vector<std::uint64_t> bits_;    // where that takes less memory
  std::vector<std::uint32_t> before_;  // set bits before each word
  std::vector<std::uint64_t> sorted_;
};

/// Collective. Throws usage_error on all members unless all can number so many vertices, own ones and ghosts.
void check_vertices(team const& members, std::uint64_t count);
/// Collective. The options; throws usage_error on all members unless all give the same.
graph_options const& checked_alike(team const& members, graph_options const& how);

}  // namespace sheaf::detail
