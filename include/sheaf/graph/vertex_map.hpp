// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "sheaf/graph/graph_options.hpp"

namespace sheaf {

/// Numbers a graph's vertices 0…n−1, so that each member owns consecutive numbers, and maps ids to these. With the
/// distributions hash and degree there is no formula, and only the owners know (graph_shape::id).
class vertex_map {
 public:
  vertex_map() = default;
  /// Distributions block, cyclic and given. Throws usage_error for bad bounds.
  vertex_map(graph_options const& how, std::uint64_t vertices, std::uint32_t members);
  /// Without a formula. `bounds`: the first number of each member, and n.
  explicit vertex_map(std::vector<std::uint64_t> bounds) : bounds_(std::move(bounds)) {}

  [[nodiscard]] std::uint64_t vertices() const { return bounds_.back(); }
  [[nodiscard]] std::uint64_t first(std::uint32_t rank) const { return bounds_[rank]; }
  [[nodiscard]] std::uint64_t count(std::uint32_t rank) const { return bounds_[rank + 1] - bounds_[rank]; }
  [[nodiscard]] std::uint32_t owner(std::uint64_t number) const {
    if (each_ != 0) return static_cast<std::uint32_t>(number / each_);
    return search(number);
  }
  [[nodiscard]] bool has_formula() const { return formula_ != formula::none; }
  [[nodiscard]] std::uint64_t number(std::uint64_t id) const {
    if (formula_ != formula::cyclic) return id;
    std::uint64_t const members = bounds_.size() - 1;
    return bounds_[id % members] + id / members;
  }
  [[nodiscard]] std::uint64_t id(std::uint64_t number) const {
    if (formula_ != formula::cyclic) return number;
    std::uint32_t const rank = owner(number);
    return (number - bounds_[rank]) * (bounds_.size() - 1) + rank;
  }

 private:
  enum class formula : std::uint8_t { none, same, cyclic };

  [[nodiscard]] std::uint32_t search(std::uint64_t number) const;
  void find_each();

  std::vector<std::uint64_t> bounds_{0, 0};
  std::uint64_t each_ = 0;  // where all members but the last ones have as many: so many
  formula formula_ = formula::none;
};

}  // namespace sheaf
