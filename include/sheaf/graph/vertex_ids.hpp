// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

/// Collective. The ids of vertices with these numbers (graph_shape::number), each member's own list: of parents, for
/// example, which need not be known here. What is no number, as no_parent, stays as it is. Without messages where the
/// distribution has a formula; else a number goes to the vertex's owner, once from each member, and the id comes back.
std::vector<std::uint64_t> ids_of(graph_shape const& g, std::span<std::uint64_t const> numbers);

}  // namespace sheaf
