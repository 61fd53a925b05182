// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/graph/adjacency.hpp"

namespace sheaf::detail {

/// A location's strongly connected components by edges between its own vertices.
struct local_components {
  std::vector<vertex> unit;         ///< of each own vertex: the one that names its component
  std::vector<vertex> next;         ///< the next one of its component, around
  std::vector<std::uint8_t> exits;  ///< of units: 1 if a path leads from it to a ghost of the same part
};

/// `part`: of own vertices and ghosts; vertices of the part `gone` are passed over. Local; reads each edge once.
local_components find_local_components(adjacency const& rows, std::span<std::uint32_t const> part, std::uint32_t gone);

}  // namespace sheaf::detail
