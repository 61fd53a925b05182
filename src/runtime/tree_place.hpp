// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>

namespace sheaf::detail {

/// Where a rank stands in the tree over ranks 0…size−1 in which every member has up to `arity` children. A subtree is
/// an interval of ranks that begins with its root, and the children's intervals follow one another, so that a member
/// that combines its own value and then its children's in turn respects the order of ranks.
class tree_place {
 public:
  /// `arity` is at least 1.
  tree_place(std::uint32_t rank, std::uint32_t size, std::uint32_t arity) : rank_(rank), end_(size), arity_(arity) {
    std::uint32_t at = 0;
    while (at != rank) {
      tree_place const above(at, end_, arity, settled{});
      std::uint32_t child = 0;
      while (child + 1 < above.children() && above.child(child + 1) <= rank) ++child;
      end_ = child + 1 < above.children() ? above.child(child + 1) : above.end_;
      parent_ = at;
      at = above.child(child);
    }
  }

  [[nodiscard]] bool is_root() const { return rank_ == 0; }
  [[nodiscard]] std::uint32_t parent() const { return parent_; }
  [[nodiscard]] std::uint32_t children() const { return std::min(arity_, end_ - rank_ - 1); }
  [[nodiscard]] std::uint32_t child(std::uint32_t i) const {
    if (i == 0) return rank_ + 1;  // a division saved where it matters
    std::uint64_t const below = end_ - rank_ - 1;
    return rank_ + 1 + static_cast<std::uint32_t>(below * i / children());
  }

 private:
  struct settled {};
  tree_place(std::uint32_t rank, std::uint32_t end, std::uint32_t arity, settled)
      : rank_(rank), end_(end), arity_(arity) {}

  std::uint32_t rank_;
  std::uint32_t end_;
  std::uint32_t arity_;
  std::uint32_t parent_ = 0;
};

}  // namespace sheaf::detail
