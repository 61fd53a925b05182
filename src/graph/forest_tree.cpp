// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/detail/forest_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sheaf::detail {

forest_tree::forest_tree(std::uint64_t n, std::vector<keyed_edge> edges) : above_(n), key_(n, not_joined) {
  std::iota(above_.begin(), above_.end(), std::uint32_t{0});
  std::ranges::sort(edges, {}, &keyed_edge::key);
  std::vector<std::uint32_t> size(n, 1);
  for (keyed_edge const& each : edges) {
    std::uint64_t small = root(each.a), large = root(each.b);
    if (small == large) continue;
    if (size[small] > size[large]) std::swap(small, large);
    above_[small] = static_cast<std::uint32_t>(large);
    key_[small] = each.key;
    size[large] += size[small];
  }
}

std::uint64_t forest_tree::root(std::uint64_t v) const {
  while (above_[v] != v) v = above_[v];
  return v;
}

std::uint64_t forest_tree::heaviest(std::uint64_t a, std::uint64_t b) const {
  std::uint64_t most = 0;
  while (a != b) {
    if (key_[a] > key_[b] || (key_[a] == key_[b] && above_[a] == a)) std::swap(a, b);
    if (above_[a] == a) return not_joined;  // both are roots
    most = std::max(most, key_[a]);
    a = above_[a];
  }
  return most;
}

}  // namespace sheaf::detail
