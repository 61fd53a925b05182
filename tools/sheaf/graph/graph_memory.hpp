// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sheaf/graph/file_edges.hpp"
#include "sheaf/graph/graph_request.hpp"

namespace sheaf::tool {

/// What a graph's size depends on, of all members' edges.
struct graph_extent {
  std::uint64_t edges = 0, largest = 0;     ///< id
  std::optional<std::uint64_t> vertices{};  ///< as the file says
};

/// Collective.
template <class E>
graph_extent extent_of(team const& members, edge_file<E> const& file) {
  std::uint64_t largest = 0;
  for (edge<E> const& each : file.edges) largest = std::max({largest, each.source, each.target});
  auto const larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  return {count_of(members, file.edges), all_reduce(members, largest, larger), file.vertices};
}

/// Collective. Throw command_error on all members where a host lacks memory for its share of what is to come: its
/// processes' share of the job, as the launcher says, or all of it.
/// Before a file is read, by its size; the file must be there.
void check_memory_of_file(team const& members, graph_request const& asked);
/// Before a graph is built, whose vertices may be all ids up to the largest one.
void check_memory_of_graph(team const& members, graph_request const& asked, graph_extent const& extent);
/// Before edges are generated and written.
void check_memory_of_edges(team const& members, graph_request const& asked, double edges);

}  // namespace sheaf::tool
