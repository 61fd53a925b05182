// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "sheaf/base/partition.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

/// Appends a member's share of edges number 0…count−1, of which `make(i)` is number i.
template <class F>
void add_part(std::vector<edge<>>& edges, team const& members, std::uint64_t count, F make) {
  block_partition const parts(count, members.size());
  std::uint64_t const first = parts.first(members.rank()), own = parts.count(members.rank());
  edges.reserve(edges.size() + own);
  for (std::uint64_t i = first; i < first + own; ++i) edges.push_back(make(i));
}

template <class F>
std::vector<edge<>> part(team const& members, std::uint64_t count, F make) {
  std::vector<edge<>> edges;
  add_part(edges, members, count, make);
  return edges;
}

}  // namespace sheaf::detail
