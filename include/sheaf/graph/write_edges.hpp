// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sheaf/graph/graph_file.hpp"

namespace sheaf {

namespace detail {

/// A member's edges in memory: `stride` bytes for each, which begin with source and target.
struct edge_bytes {
  std::byte const* first = nullptr;
  std::uint64_t count = 0;
  std::size_t stride = 0, value_at = 0;
  number_kind kind{};
};
void write_graph_file(team const& members, std::string const& path, graph_format format, edge_bytes const& edges,
                      file_facts const& facts);

}  // namespace detail

/// Collective. Writes the edges of all members, each its own part, in the order of ranks; read_edges reads them back.
/// Formats: edge_list (with tabs; `automatic`, if no other ending is known), matrix_market (`directed` or symmetric),
/// graph500 and int64_pairs (without values), metis (undirected, values are integers), and gap: with weights if the
/// name ends with .wsg, which are 32 bits, else without values. The last two send edges to the owners of their ends, as
/// build_graph does. A text whose name ends with .gz is compressed, each member's part by itself. Without `vertices`
/// there are one more than the largest id. The folder must be there for all members. If it throws, the file is left
/// incomplete. Throws on all members graph_file_error, and usage_error where the format cannot hold this.
template <class E>
void write_edges(team const& members, std::string const& path, edge_file<E> const& all,
                 graph_format format = graph_format::automatic) {
  detail::check_edge_value<E>();
  edge<E> const one{};
  auto const address = [](auto const& of) { return reinterpret_cast<std::byte const*>(&of); };
  auto const value_at = static_cast<std::size_t>(address(one.value) - address(one));
  detail::edge_bytes const edges{reinterpret_cast<std::byte const*>(all.edges.data()), all.edges.size(),
                                 sizeof(edge<E>), value_at, detail::kind_of<E>()};
  detail::write_graph_file(members, path, format, edges, {all.directed, all.vertices});
}

}  // namespace sheaf
