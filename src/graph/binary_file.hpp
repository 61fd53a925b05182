// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "graph/opened_file.hpp"
#include "sheaf/graph/graph_file.hpp"

namespace sheaf::detail {

static_assert(std::endian::native == std::endian::little, "binary files are read and written as they are in memory");

/// Collective. Graph500's edges (its generator/graph_generator.h), packed or not.
file_facts read_tuples(opened_file const& file, bool is_packed, edge_sink to);

/// The serialized graphs of the GAP benchmark suite (its writer.h): a byte, which is 1 if the graph is directed; the
/// numbers of entries and of vertices, 64 bits each; where each vertex's entries begin, and their end, 64 bits each;
/// for each entry a target of 32 bits, and in graphs with weights one of 32 bits. If it is directed, follows the same
/// from where edges begin at the target's place.
struct gap_head {
  static constexpr std::uint64_t bytes = 17;

  bool directed = false;
  std::uint64_t entries = 0, vertices = 0;
};
/// Collective.
file_facts read_gap(opened_file const& file, edge_sink to);

template <class T>
T number_at(std::string_view bytes, std::uint64_t position) {
  T found{};
  std::memcpy(&found, bytes.data() + position, sizeof found);
  return found;
}

}  // namespace sheaf::detail
