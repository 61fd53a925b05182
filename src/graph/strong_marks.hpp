// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "graph/strong_rest.hpp"

namespace sheaf::detail {

/// A mark stands for a vertex of the graph: larger ones win, in a pseudo-random order of vertices. 0 is none.
constexpr std::uint64_t mark_factor = 0x9e3779b97f4a7c15U;
constexpr std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t inverse = odd;  // right in its last 3 bits
  for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - odd * inverse;
  return inverse;
}
constexpr std::uint64_t mark_of(std::uint64_t number) { return (number + 1) * mark_factor; }
constexpr std::uint64_t number_of(std::uint64_t mark) { return mark * inverse_of(mark_factor) - 1; }

/// Marks that spread along edges of one direction within parts, until each unit has the largest one that reaches it.
class strong_marks {
 public:
  strong_marks(strong_rest& rest, adjacency const& rows) : rest_(rest), rows_(rows), marks_(rest.g, 0) {}

  [[nodiscard]] std::uint64_t operator[](vertex v) const { return marks_[v]; }
  /// Local. No marks; once more before they are put, all members must have met (another epoch, for example).
  void clear();
  /// In an epoch.
  void put(vertex u, std::uint64_t mark);
  /// Only where these marks are the same. They have been pulled on all members.
  void stay_within(strong_marks const* others) { within_ = others; }
  /// Collective. Own vertices and ghosts get the marks of their units.
  void pull();

 private:
  [[nodiscard]] bool may_have(vertex v, std::uint64_t mark) const {
    return within_ == nullptr ? mark > marks_[v] : mark == (*within_)[v] && marks_[v] == 0;
  }
  void expand(vertex u);
  void offer(vertex v, std::uint64_t mark);

  struct expanding {
    strong_marks& all;
    void operator()(vertex u) const { all.expand(u); }
  };

  strong_rest& rest_;
  adjacency const& rows_;
  vertex_values<std::uint64_t> marks_;
  strong_marks const* within_ = nullptr;
  std::vector<std::uint8_t> waits_ = std::vector<std::uint8_t>(rest_.g.local(), 0);
  work_list<expanding> work_{rest_.g, expanding{*this}};
  vertex_messages<std::uint64_t> arrive_{rest_.g, [this](vertex v, std::uint64_t mark) {
                                           if (rest_.part[v] != strong_rest::gone) offer(rest_.unit[v], mark);
                                         }};
};

}  // namespace sheaf::detail
