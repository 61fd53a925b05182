// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "graph/file_format.hpp"
#include "sheaf/graph/graph_file.hpp"
#include "sheaf/report.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

/// Collective. How many edges all members have.
template <class E>
std::uint64_t count_of(team const& members, std::vector<edge<E>> const& edges) {
  return all_reduce(members, std::uint64_t{edges.size()}, std::plus<>{});
}

/// Collective. Whether an edge of any member has another value than 1, which stands for none.
template <class E>
bool have_values(team const& members, std::vector<edge<E>> const& edges) {
  bool const own = std::ranges::any_of(edges, [](edge<E> const& each) { return each.value != 1; });
  return all_reduce(members, own, std::logical_or<>{});
}

template <class E>
std::vector<edge<>> without_values(std::vector<edge<E>> const& edges) {
  std::vector<edge<>> plain;
  plain.reserve(edges.size());
  for (edge<E> const& each : edges) plain.push_back({each.source, each.target});
  return plain;
}

/// Whether a file of this name can hold values of edges.
inline bool keeps_values(std::string const& file) {
  graph_format const form = detail::format_by_name(file);
  return form < graph_format::graph500 || (form == graph_format::gap && file.ends_with(".wsg"));
}

/// For the report on a file that was written: that its form cannot say that its edges have no direction.
inline void add_direction(report::row& all, std::string const& file, bool directed) {
  graph_format const form = detail::format_by_name(file);
  bool const says = form == graph_format::matrix_market || form == graph_format::metis || form == graph_format::gap;
  if (!directed && !says) all.emplace_back("direction", "undirected; read it with --undirected");
}

}  // namespace sheaf::tool
