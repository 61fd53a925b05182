// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sheaf/message/member_list.hpp"

namespace sheaf::detail {

/// How a team lies over processes, as one of its members sees it. The first member of a process, by rank, leads those
/// of its process; collectives go from members to leaders and between leaders. Where no transport tells near locations
/// from far ones, everybody leads itself.
class team_shape {
 public:
  /// The first location of a process has a number that `lanes` divides.
  team_shape(member_list const& members, std::uint32_t rank, std::uint32_t lanes);

  std::uint32_t leader = 0;  ///< rank
  std::uint32_t place = 0;   ///< of the leader, among leaders
  std::uint32_t leader_count = 0;

  [[nodiscard]] bool all_lead() const { return processes_.empty(); }
  /// The members of each process follow one another by rank.
  [[nodiscard]] bool in_blocks() const { return all_lead() || processes_[0].places.empty(); }
  /// The ranks of this process's members, the leader's first; none where all lead.
  [[nodiscard]] std::span<std::uint32_t const> near() const;
  /// For a leader: the ranks that it leads, but for its own.
  [[nodiscard]] std::span<std::uint32_t const> followers() const;
  /// The rank of a leader.
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t leader_place) const {
    return all_lead() ? leader_place : processes_[0].leaders[leader_place];
  }
  /// The place of the leader of a rank.
  [[nodiscard]] std::uint32_t place_of(std::uint32_t rank) const;

 private:
  struct lists {
    std::vector<std::uint32_t> leaders;  // ranks in their order
    std::vector<std::uint32_t> near;
    std::vector<std::uint32_t> places;  // by rank; empty where members are in blocks
  };
  std::vector<lists> processes_;  // one, but none where all lead
};

}  // namespace sheaf::detail
