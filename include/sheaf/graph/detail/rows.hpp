// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/base/huge_pages.hpp"
#include "sheaf/graph/adjacency.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/graph/graph_options.hpp"

namespace sheaf::detail {

/// An edge at the member that owns one of its ends: this one's number there, and the other one's number in the graph.
template <class E>
struct arc {
  vertex own = 0;
  std::uint32_t low = 0, high = 0;
  [[no_unique_address]] E value{};

  arc() = default;
  arc(vertex at, std::uint64_t other, E its)
      : own(at),
        low(static_cast<std::uint32_t>(other)),
        high(static_cast<std::uint32_t>(other >> 32U)),
        value(std::move(its)) {}
  [[nodiscard]] std::uint64_t other() const { return std::uint64_t{high} << 32U | low; }
  void define_type(typer& t) requires(!std::is_trivially_copyable_v<E>) {
    t.local(own);
    t.local(low);
    t.local(high);
    t.local(value);
  }
};

template <class E>
inline constexpr bool has_values = !std::is_empty_v<E>;

/// Rows with the value of each edge.
template <class E>
struct valued_rows {
  adjacency rows;
  std::vector<E> values;  ///< empty where E is
};

/// Sorts a row, by targets, then by values if these can be compared; drops what the options say. Returns its new
/// length.
template <class E>
std::uint64_t tidy_row(valued_rows<E>& all, vertex own, std::uint64_t first, std::uint64_t last,
                       graph_options const& how, std::vector<std::pair<vertex, E>>& room) {
  auto const from = all.rows.targets.begin() + static_cast<std::ptrdiff_t>(first);
  auto const to = all.rows.targets.begin() + static_cast<std::ptrdiff_t>(last);
  auto end = to;
  if constexpr (!has_values<E>) {
    std::sort(from, to);
    if (!how.parallel_edges) end = std::unique(from, to);
    if (!how.loops) end = std::remove(from, end, own);
  } else {
    room.clear();
    for (std::uint64_t k = first; k < last; ++k) room.emplace_back(all.rows.targets[k], std::move(all.values[k]));
    std::stable_sort(room.begin(), room.end(), [](auto const& a, auto const& b) {
      if constexpr (requires { a.second < b.second; })
        return a.first != b.first ? a.first < b.first : a.second < b.second;
      return a.first < b.first;
    });
    auto const same = [](auto const& a, auto const& b) { return a.first == b.first; };
    if (!how.parallel_edges) room.erase(std::unique(room.begin(), room.end(), same), room.end());
    if (!how.loops) std::erase_if(room, [own](auto const& each) { return each.first == own; });
    end = from + static_cast<std::ptrdiff_t>(room.size());
    for (std::size_t k = 0; k < room.size(); ++k) {
      all.rows.targets[first + k] = room[k].first;
      all.values[first + k] = std::move(room[k].second);
    }
  }
  return static_cast<std::uint64_t>(end - from);
}

/// Moves rows together, from `first` with their new lengths.
template <class E>
void close_gaps(valued_rows<E>& all, std::vector<std::uint64_t> const& lengths) {
  std::uint64_t to = 0;
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    std::uint64_t const from = std::exchange(all.rows.first[v], to);
    if (from != to) {
      for (std::uint64_t k = 0; k < lengths[v]; ++k) {
        all.rows.targets[to + k] = all.rows.targets[from + k];
        if constexpr (has_values<E>) all.values[to + k] = std::move(all.values[from + k]);
      }
    }
    to += lengths[v];
  }
  all.rows.first.back() = to;
  all.rows.targets.resize(to);
  if (to < all.rows.targets.capacity() / 8 * 7) all.rows.targets.shrink_to_fit();  // else not worth a copy
  if constexpr (has_values<E>) all.values.resize(to);
}

/// Rows of `local` vertices, of arcs whose `low` is the other vertex. Takes the arcs.
template <class E>
valued_rows<E> rows_of(std::vector<arc<E>> arcs, vertex local, graph_options const& how) {
  valued_rows<E> all;
  all.rows.first.assign(std::size_t{local} + 1, 0);
  for (arc<E> const& each : arcs) ++all.rows.first[std::size_t{each.own} + 1];
  std::partial_sum(all.rows.first.begin(), all.rows.first.end(), all.rows.first.begin());
  reserve_in_huge_pages(all.rows.targets, arcs.size());
  all.rows.targets.resize(arcs.size());
  if constexpr (has_values<E>) all.values.resize(arcs.size());
  std::vector<std::uint64_t> next(all.rows.first.begin(), all.rows.first.end() - 1);
  for (arc<E>& each : arcs) {
    std::uint64_t const k = next[each.own]++;
    all.rows.targets[k] = each.low;
    if constexpr (has_values<E>) all.values[k] = std::move(each.value);
  }
  arcs = {};
  std::vector<std::pair<vertex, E>> room;
  for (vertex v = 0; v < local; ++v)
    next[v] = tidy_row(all, v, all.rows.first[v], all.rows.first[std::size_t{v} + 1], how, room);
  close_gaps(all, next);
  return all;
}

}  // namespace sheaf::detail
