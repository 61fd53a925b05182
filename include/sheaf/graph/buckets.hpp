// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sheaf/graph/adjacency.hpp"

namespace sheaf {

/// A location's work: vertices in numbered buckets, of which the first ones are to be done first (Dhulipala, Blelloch,
/// Shun: Julienne, SPAA 2017). A vertex may be in several, or more than once in one. All functions are local. To work
/// on one bucket at all members, reduce `first()` by std::min, as a value of an epoch's end.
class buckets {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  buckets() : open_(width) {}

  /// A bucket in front of the one last taken from counts as that one, if so. Not `none`.
  void add(vertex v, std::uint64_t bucket) {
    bucket = std::max(bucket, base_);
    if (bucket - base_ >= width) {
      later_first_ = std::min(later_first_, bucket);
      later_.emplace_back(bucket, v);
    } else {
      next_ = std::min(next_, bucket);
      open_[bucket % width].vertices.push_back(v);
    }
  }
  /// The first bucket with a vertex; else none. Steps over empty ones once.
  [[nodiscard]] std::uint64_t first() {
    while (next_ - base_ < width && open_[next_ % width].vertices.empty()) ++next_;
    return next_ - base_ < width ? next_ : later_first_;
  }
  /// The vertex that has been in it for longest, and no longer is; nothing where it is empty. Earlier buckets are
  /// empty, or count as this one.
  [[nodiscard]] std::optional<vertex> take(std::uint64_t bucket) {
    if (bucket - base_ >= width) move_to(bucket);
    open_bucket& its = open_[bucket % width];
    if (its.vertices.empty()) return {};
    vertex const v = its.vertices[its.next++];
    if (its.next == its.vertices.size()) its.clear();
    return v;
  }

 private:
  static constexpr std::uint64_t width = 1024;  // buckets that have room of their own

  struct open_bucket {
    std::vector<vertex> vertices;  // empty where all have been taken
    std::size_t next = 0;

    void clear() {
      vertices.clear();
      next = 0;
    }
  };

  void move_to(std::uint64_t bucket) {
    std::vector<std::pair<std::uint64_t, vertex>> all;
    all.swap(later_);
    for (auto& each : open_) {
      for (std::size_t k = each.next; k < each.vertices.size(); ++k) all.emplace_back(bucket, each.vertices[k]);
      each.clear();
    }
    base_ = next_ = bucket;
    later_first_ = none;
    for (auto const& [its, v] : all) add(v, its);
  }

  std::vector<open_bucket> open_;  // of base_…base_+width−1, each at its number modulo width
  std::vector<std::pair<std::uint64_t, vertex>> later_;
  std::uint64_t base_ = 0, next_ = 0;  // next_: those in front of it are empty
  std::uint64_t later_first_ = none;
};

}  // namespace sheaf
