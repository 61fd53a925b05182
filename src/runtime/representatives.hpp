// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/message/team_state.hpp"

namespace sheaf::detail {

/// Who acts for whom in a collective operation of values: within a process first, the leader of each process between
/// them. Representatives are numbered by their places; where a transport knows no processes, everybody is one, at the
/// place of its rank.
class representatives {
 public:
  /// `in_order`: values are put together in the order of ranks, and those of one process before others'. Where the
  /// members of processes do not follow one another in the team, everybody acts for itself then.
  representatives(team_state const& team, bool in_order)
      : team_(team), flat_(team.shape.all_lead() || (in_order && !team.shape.in_blocks())) {}

  [[nodiscard]] bool acts() const { return leader() == team_.rank; }
  /// Of this member.
  [[nodiscard]] std::uint32_t leader() const { return flat_ ? team_.rank : team_.shape.leader; }
  [[nodiscard]] std::uint32_t place() const { return flat_ ? team_.rank : team_.shape.place; }
  [[nodiscard]] std::uint32_t count() const { return flat_ ? team_.size() : team_.shape.leader_count; }
  /// Of this representative: ranks in their order, all above its own.
  [[nodiscard]] std::span<std::uint32_t const> followers() const {
    return flat_ ? std::span<std::uint32_t const>() : team_.shape.followers();
  }

  // For representatives.
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t place) const { return flat_ ? place : team_.shape.rank_of(place); }
  /// The place of who acts for a member.
  [[nodiscard]] std::uint32_t place_for(std::uint32_t rank) const { return flat_ ? rank : team_.shape.place_of(rank); }

  /// The ranks that each place acts for, in their order.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> members() const {
    std::vector<std::vector<std::uint32_t>> all(count());
    for (std::uint32_t rank = 0; rank < team_.size(); ++rank) all[place_for(rank)].push_back(rank);
    return all;
  }

 private:
  team_state const& team_;
  bool const flat_;
};

}  // namespace sheaf::detail
