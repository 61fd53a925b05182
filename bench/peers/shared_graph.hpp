// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The graph of peers with threads: compressed sparse rows of 32-bit numbers in shared memory.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/graph_edges.hpp"

namespace sheaf_bench {

struct shared_graph {
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> targets;

  [[nodiscard]] std::uint32_t vertices() const { return static_cast<std::uint32_t>(first.size() - 1); }
  [[nodiscard]] std::uint64_t degree(std::uint32_t v) const { return first[v + 1] - first[v]; }
  [[nodiscard]] std::span<std::uint32_t const> row(std::uint32_t v) const { return {&targets[first[v]], degree(v)}; }
};

using edge_list = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The edges of a row, a list for each thread.
inline std::vector<edge_list> lists_of(graph_edges const& edges) {
  auto const threads = static_cast<std::size_t>(omp_get_max_threads());
  std::vector<edge_list> lists(threads);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t t = 0; t < threads; ++t) {
    for (std::uint64_t i = t; i < edges.count(); i += threads) lists[t].push_back(edges[i]);
  }
  return lists;
}

/// One more than the largest vertex.
inline std::uint64_t count_vertices(std::vector<edge_list> const& lists) {
  std::uint64_t n = 0;
#pragma omp parallel for schedule(static, 1) reduction(max : n)
  for (std::size_t t = 0; t < lists.size(); ++t) {
    for (auto const& [from, to] : lists[t]) n = std::max({n, from + 1, to + 1});
  }
  return n;
}

/// Rows without what sorting finds twice.
inline shared_graph without_parallel(std::vector<std::uint64_t> const& first, std::vector<std::uint32_t>& targets) {
  std::uint64_t const n = first.size() - 1;
  std::vector<std::uint64_t> length(n);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::uint64_t v = 0; v < n; ++v) {
    auto const from = targets.begin() + static_cast<std::ptrdiff_t>(first[v]);
    auto const to = targets.begin() + static_cast<std::ptrdiff_t>(first[v + 1]);
    std::sort(from, to);
    length[v] = static_cast<std::uint64_t>(std::unique(from, to) - from);
  }
  shared_graph all;
  all.first.assign(n + 1, 0);
  for (std::uint64_t v = 0; v < n; ++v) all.first[v + 1] = all.first[v] + length[v];
  all.targets.resize(all.first[n]);
#pragma omp parallel for
  for (std::uint64_t v = 0; v < n; ++v) {
    std::copy_n(targets.begin() + static_cast<std::ptrdiff_t>(first[v]), length[v],
                all.targets.begin() + static_cast<std::ptrdiff_t>(all.first[v]));
  }
  return all;
}

/// Undirected, rows sorted, without loops and parallel edges.
inline shared_graph build_shared(std::vector<edge_list> const& lists) {
  std::uint64_t const n = count_vertices(lists);
  std::vector<std::atomic<std::uint64_t>> next(n + 1);
  auto const each_end = [&](auto use) {
#pragma omp parallel for schedule(static, 1)
    for (std::size_t t = 0; t < lists.size(); ++t) {
      for (auto const& [from, to] : lists[t]) {
        if (from == to) continue;
        use(from, to);
        use(to, from);
      }
    }
  };
  each_end([&](std::uint64_t from, std::uint64_t) { next[from + 1].fetch_add(1, std::memory_order_relaxed); });
  std::vector<std::uint64_t> first(n + 1, 0);
  for (std::uint64_t v = 0; v < n; ++v) first[v + 1] = first[v] + next[v + 1];
  for (std::uint64_t v = 0; v < n; ++v) next[v] = first[v];
  std::vector<std::uint32_t> targets(first[n]);
  each_end([&](std::uint64_t from, std::uint64_t to) {
    targets[next[from].fetch_add(1, std::memory_order_relaxed)] = static_cast<std::uint32_t>(to);
  });
  return without_parallel(first, targets);
}
inline shared_graph build_shared(graph_edges const& edges) { return build_shared(lists_of(edges)); }

}  // namespace sheaf_bench
