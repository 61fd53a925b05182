// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::detail {

struct outbox;

/// The outboxes of requests to a team's members, by rank: a direct-mapped cache in front of the stream's table. A rank
/// that no member has is never in it, so that looking a rank up checks it, too. It grows with the members that are
/// used, not with the team.
class member_boxes {
 public:
  struct slot {
    std::uint64_t rank;
    outbox* box;
  };

  member_boxes();

  /// Where the rank is, if it is here: then the slot has it.
  [[nodiscard]] slot const& at(std::uint64_t rank) const { return slots_[rank & mask_]; }
  /// Null: the rank is not here, or no member has it.
  [[nodiscard]] outbox* find(std::uint64_t rank) const { return at(rank).rank == rank ? at(rank).box : nullptr; }
  [[nodiscard]] std::uint64_t slots() const { return mask_ + 1; }

  /// `box` is that of requests to `rank` of `members`.
  void put(std::uint64_t rank, outbox& box, std::uint64_t members);

 private:
  static constexpr std::uint64_t least = 16;
  /// The table is not made larger than so many slots for each member that was met: a few members of many may share one.
  static constexpr std::uint64_t most_for_each = 8;

  void make(std::uint64_t slots);
  bool grow(std::uint64_t members);

  std::vector<slot> slots_;
  std::uint64_t mask_ = 0;
  std::uint64_t met_ = 0;
};

}  // namespace sheaf::detail
