// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "sheaf/graph/detail/shape_parts.hpp"
#include "sheaf/graph/graph_options.hpp"
#include "sheaf/graph/graph_shape.hpp"
#include "sheaf/graph/vertex_values.hpp"

/// What graphs that are made of others need.
namespace sheaf::detail {

/// With which a graph of the same kind is built: all edges that it is given stay.
graph_options options_of(graph_shape const& g);
/// The numbers of the vertices that are known here.
numbered_ids numbers_of(graph_shape const& g);
/// Collective. New numbers for those that are kept, at the same owners. `kept` is the same at owners and ghosts.
numbered_ids numbers_of(graph_shape const& g, vertex_values<std::uint8_t> const& kept);
/// Collective. Throws usage_error on all members unless there is an id for each vertex, and each only once.
void check_ids(graph_shape const& g, std::vector<std::uint64_t> const& ids, graph_options const& how);

}  // namespace sheaf::detail
