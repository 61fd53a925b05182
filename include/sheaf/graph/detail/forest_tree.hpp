// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

namespace sheaf::detail {

/// Between numbers of vertices; `key` is smaller for a smaller weight.
struct keyed_edge {
  std::uint64_t a = 0, b = 0, key = 0;
};

/// The heaviest edge on each path of a forest, found in log2 n steps: sets of vertices are united by edges in order of
/// weight (Kruskal 1956), the smaller below the larger, and remember the edge that did it.
class forest_tree {
 public:
  static constexpr std::uint64_t not_joined = ~std::uint64_t{0};

  /// Of n vertices, at most 2^32.
  forest_tree(std::uint64_t n, std::vector<keyed_edge> edges);

  /// The largest key between two vertices; not_joined where there is no path, 0 from a vertex to itself.
  [[nodiscard]] std::uint64_t heaviest(std::uint64_t a, std::uint64_t b) const;

 private:
  [[nodiscard]] std::uint64_t root(std::uint64_t v) const;

  std::vector<std::uint32_t> above_;
  std::vector<std::uint64_t> key_;  // of the edge that leads up; ascends on each way up
};

}  // namespace sheaf::detail
