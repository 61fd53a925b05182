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

/// Undirected, rows sorted, without loops and parallel edges.
inline shared_graph build_shared(graph_edges const& edges) {
  std::uint64_t const n = edges.vertices();
  std::vector<std::atomic<std::uint64_t>> next(n + 1);
  auto const each_end = [&](auto use) {
#pragma omp parallel for
    for (std::uint64_t i = 0; i < edges.count(); ++i) {
      auto const [from, to] = edges[i];
      if (from == to) continue;
      use(from, to);
      use(to, from);
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

}  // namespace sheaf_bench
