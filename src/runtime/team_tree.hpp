// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "sheaf/message/team_state.hpp"

namespace sheaf::detail {

/// Where a rank stands in the tree over ranks 0…size−1 in which every member has up to `arity` children. A subtree is
/// an interval of ranks: its root, then the children's in turn; so values can be put together in the order of ranks.
class tree_place {
 public:
  /// `arity` is at least 1.
  tree_place(std::uint32_t rank, std::uint32_t size, std::uint32_t arity) : end_(size), arity_(arity) {
    while (rank_ != rank) {  // down from the root
      std::uint32_t next = 0;
      while (next + 1 < children() && child(next + 1) <= rank) ++next;
      std::uint32_t const begin = child(next), end = next + 1 < children() ? child(next + 1) : end_;
      parent_ = std::exchange(rank_, begin);
      end_ = end;
    }
  }

  [[nodiscard]] bool is_root() const { return rank_ == 0; }
  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  [[nodiscard]] std::uint32_t parent() const { return parent_; }
  [[nodiscard]] std::uint32_t children() const { return std::min(arity_, end_ - rank_ - 1); }
  [[nodiscard]] std::uint32_t child(std::uint32_t i) const {
    if (i == 0) return rank_ + 1;  // a division saved where it matters
    std::uint64_t const below = end_ - rank_ - 1;
    return rank_ + 1 + static_cast<std::uint32_t>(below * i / children());
  }

 private:
  std::uint32_t rank_ = 0;
  std::uint32_t end_;
  std::uint32_t arity_;
  std::uint32_t parent_ = 0;
};

/// Where a member stands in the tree over its team that has the member `origin` at its root. Where members share
/// processes it has two levels: between processes one member of each, the origin or the first by rank, with up to
/// `arity` children there; within a process all others are that one's children. So each process is entered once.
///
/// A member's own value and then its children's are in the order of ranks, counted cyclically from the origin's. Where
/// members of one process do not follow one another by rank, only a tree that need not keep it knows processes.
class team_tree {
 public:
  team_tree(team_state const& team, std::uint32_t origin, std::uint32_t arity, bool in_order = true)
      : shape_(team.shape),
        rank_(team.rank),
        origin_(origin),
        flat_(shape_.all_lead() || (in_order && !shape_.in_blocks())),
        places_(flat_ ? team.size() : shape_.leader_count),
        root_(flat_ ? origin : shape_.place_of(origin)),
        speaker_(flat_                   ? rank_
                 : shape_.place == root_ ? origin
                                         : shape_.leader),
        place_(from_root(flat_ ? rank_ : shape_.place), places_, arity),
        far_(speaks() ? place_.children() : 0) {
    if (flat_ || !speaks()) return;
    std::span const near = shape_.near();
    auto const self = static_cast<std::size_t>(std::lower_bound(near.begin(), near.end(), rank_) - near.begin());
    below_ = near.first(self);
    above_ = near.subspan(self + 1);
  }

  /// Leaves out the branches between processes: who speaks for a process then is the root of a tree within it.
  void keep_near() { far_ = 0; }

  [[nodiscard]] bool is_root() const { return rank_ == origin_; }
  /// Whether this member stands for its process, or for itself where the tree knows no processes.
  [[nodiscard]] bool speaks() const { return rank_ == speaker_; }
  /// How many speak, and the place of this process's speaker among them, counted from the root's.
  [[nodiscard]] std::uint32_t places() const { return places_; }
  [[nodiscard]] std::uint32_t place() const { return place_.rank(); }
  [[nodiscard]] std::uint32_t rank_at(std::uint32_t place) const {
    if (place == 0) return origin_;
    std::uint32_t const at = place < places_ - root_ ? place + root_ : place - (places_ - root_);
    return flat_ ? at : shape_.rank_of(at);
  }
  /// Ranks. The root has no parent.
  [[nodiscard]] std::uint32_t parent() const { return speaks() ? rank_at(place_.parent()) : speaker_; }
  [[nodiscard]] std::uint32_t children() const {
    return static_cast<std::uint32_t>(above_.size() + far_ + below_.size());
  }
  [[nodiscard]] std::uint32_t child(std::uint32_t i) const {
    if (i < above_.size()) return above_[i];
    std::uint32_t const next = i - static_cast<std::uint32_t>(above_.size());
    return next < far_ ? rank_at(place_.child(next)) : below_[next - far_];
  }
  /// Calls visit(rank) for each child, those of other processes first: their way is longer.
  void each_child(auto visit) const {
    for (std::uint32_t i = 0; i < far_; ++i) visit(rank_at(place_.child(i)));
    for (std::uint32_t const rank : above_) visit(rank);
    for (std::uint32_t const rank : below_) visit(rank);
  }

 private:
  /// Places are counted from the root's.
  [[nodiscard]] std::uint32_t from_root(std::uint32_t place) const {
    return place >= root_ ? place - root_ : place + places_ - root_;
  }

  team_shape const& shape_;
  std::uint32_t const rank_;
  std::uint32_t const origin_;
  bool const flat_;                               ///< without processes: every place is a rank
  std::uint32_t const places_;                    ///< of processes
  std::uint32_t const root_;                      ///< place of the origin
  std::uint32_t const speaker_;                   ///< who stands for this process between them
  tree_place const place_;                        ///< of that one, counted from the root
  std::uint32_t far_;                             ///< children in other processes
  std::span<std::uint32_t const> above_, below_;  ///< children in this process
};

}  // namespace sheaf::detail
