// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sheaf {

/// Which member of the team owns which vertex.
enum class vertex_distribution : std::uint8_t {
  block,   ///< vertices are all ids 0…n−1; blocks of them (block_partition)
  cyclic,  ///< all ids 0…n−1; id modulo the number of members
  given,   ///< all ids 0…n−1; blocks of given lengths (given_partition)
  hash,    ///< vertices are the ids of edges, any numbers; by a hash of the id
  degree   ///< as hash, but dealt in descending order of degree: for graphs with few vertices of very many edges
};

struct graph_options {
  bool directed = true;         ///< else each edge is kept in both directions
  bool in_edges = false;        ///< of directed graphs, also keep the edges that end at a vertex with the vertex
  bool loops = false;           ///< keep edges from a vertex to itself
  bool parallel_edges = false;  ///< keep all edges of one pair; else the one with the smallest value
  vertex_distribution distribution = vertex_distribution::block;
  std::optional<std::uint64_t> vertices{};  ///< n; unset: one more than the largest id
  std::vector<std::uint64_t> bounds{};      ///< of `given`: one more than members, ascending, from 0
};

}  // namespace sheaf
