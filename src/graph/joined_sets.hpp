// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/vertex_sets.hpp"
#include "sheaf/graph/graph_shape.hpp"

namespace sheaf::detail {

/// A set of a member: its name there.
struct set_place {
  std::uint32_t rank = 0;
  vertex name = 0;

  auto operator<=>(set_place const&) const = default;
};

/// The own sets of a location that share vertices with sets of other members, ascending by name, each with these.
class joined_sets {
 public:
  /// Collective. `largest`: the set of which edges may have been left out if they lead to an own vertex, or if the
  /// other end's owner knows them; none: ~0. Sets that meet another member's largest set may be united with `largest`.
  joined_sets(graph_shape const& g, vertex_sets& sets, vertex largest);

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] vertex name(std::size_t k) const { return names_[k]; }
  [[nodiscard]] std::size_t position(vertex name) const;  ///< size() where it is none of these
  [[nodiscard]] std::span<set_place const> neighbours(std::size_t k) const {
    return {to_.data() + first_[k], first_[k + 1] - first_[k]};
  }

 private:
  std::vector<vertex> names_;
  std::vector<std::size_t> first_{0};
  std::vector<set_place> to_;
};

}  // namespace sheaf::detail
