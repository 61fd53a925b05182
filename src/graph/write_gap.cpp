// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/write_gap.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "graph/binary_file.hpp"
#include "graph/output_file.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

template <class T>
void append_image(std::string& to, T const& number) {
  to.append(reinterpret_cast<char const*>(&number), sizeof number);
}

/// Offsets and entries of all members' rows, from `begin` on. `value(k)` is of edge k. Returns their end.
template <class E, class Value>
std::uint64_t write_rows(output_file& file, graph<E> const& g, adjacency const& rows, std::uint64_t begin,
                         Value value) {
  std::uint64_t const own = rows.targets.size(), entry_bytes = has_values<E> ? 8 : 4;
  std::uint64_t const before = exclusive_scan(file.members(), own, std::uint64_t{0}, std::plus<>{});
  std::uint64_t const all = all_reduce(file.members(), own, std::plus<>{});
  std::string offsets, entries;
  std::vector<std::pair<std::int32_t, std::int32_t>> row;  // ascending by ids
  for (vertex v = 0; v < g.local(); ++v) {
    append_image(offsets, before + rows.first[v]);
    row.clear();
    for (std::uint64_t k = rows.first[v]; k < rows.first[v + 1]; ++k)
      row.emplace_back(static_cast<std::int32_t>(g.id(rows.targets[k])), value(k));
    std::ranges::sort(row);
    for (auto const& [target, weight] : row) {
      append_image(entries, target);
      if (has_values<E>) append_image(entries, weight);
    }
  }
  bool const is_last = file.members().rank() + 1 == file.members().size();
  if (is_last) append_image(offsets, all);
  file.write(begin + 8 * g.map().first(file.members().rank()), offsets);
  std::uint64_t const first_entry = begin + 8 * (g.vertices() + 1);
  file.write(first_entry + entry_bytes * before, entries);
  return first_entry + entry_bytes * all;
}

template <class E>
void write_graph(team const& members, std::string const& path, std::vector<edge<E>> edges, file_facts const& facts) {
  graph_options const how{.directed = facts.directed,
                          .in_edges = facts.directed,
                          .loops = true,
                          .parallel_edges = true,
                          .vertices = facts.vertices};
  graph<E> const g = build_graph(members, std::move(edges), how);
  std::uint64_t const entries = all_reduce(members, std::uint64_t{g.out().targets.size()}, std::plus<>{});
  output_file file(members, path);
  if (members.rank() == 0) {
    std::string head(1, facts.directed ? '\1' : '\0');
    append_image(head, entries);
    append_image(head, g.vertices());
    file.write(0, head);
  }
  auto const weight = [](E const& value) {
    if constexpr (has_values<E>) return value;
    return std::int32_t{0};
  };
  std::uint64_t const end =
      write_rows(file, g, g.out(), gap_head::bytes, [&](std::uint64_t k) { return weight(g.out_value(k)); });
  if (facts.directed) write_rows(file, g, g.in(), end, [&](std::uint64_t k) { return weight(g.in_value(k)); });
  file.finish();
}

}  // namespace

void write_gap(team const& members, std::string const& path, std::vector<edge<>> edges, file_facts const& facts) {
  write_graph(members, path, std::move(edges), facts);
}
void write_gap(team const& members, std::string const& path, std::vector<edge<std::int32_t>> edges,
               file_facts const& facts) {
  write_graph(members, path, std::move(edges), facts);
}

}  // namespace sheaf::detail
