// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "graph/strong_rest.hpp"

namespace sheaf::detail {

/// Collective. Member 0 gets all edges that are left, and finds their components; nothing is left. Two messages of each
/// member, and 4 bytes for each ghost. Fewer than 2^32 − 1 units.
void finish_at_one(strong_rest& rest);

/// Collective. The smallest ids of vertices' components, given `rest.name`; the numbers of components and of vertices
/// of the largest one. Two messages for each component of another member's vertex.
struct strong_labels {
  std::vector<std::uint64_t> label;
  std::uint64_t count = 0, largest = 0;
};
strong_labels label_components(strong_rest const& rest);

}  // namespace sheaf::detail
