// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "sheaf/base/location_id.hpp"

namespace sheaf::detail {

/// How a team lies over processes, as one of its members sees it. The first member of a process, by rank, leads those
/// of its process; collectives go from members to leaders and between leaders. Where no transport tells near locations
/// from far ones, everybody leads itself.
struct team_shape {
  /// The first location of a process has a number that `lanes` divides.
  team_shape(std::vector<location_id> const& members, std::uint32_t rank, std::uint32_t lanes);

  std::uint32_t leader = 0;  ///< rank
  std::uint32_t place = 0;   ///< of the leader, among leaders
  std::uint32_t leader_count = 0;
  std::vector<std::uint32_t> followers;  ///< ranks; of a leader
  std::vector<std::uint32_t> leaders;    ///< ranks in their order; of a leader; empty where all lead

  /// The rank of a leader; for leaders.
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t leader_place) const {
    return leaders.empty() ? leader_place : leaders[leader_place];
  }
};

}  // namespace sheaf::detail
