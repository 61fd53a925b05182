// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/team_shape.hpp"

#include <algorithm>
#include <unordered_map>

namespace sheaf::detail {

team_shape::team_shape(std::vector<location_id> const& members, std::uint32_t rank, std::uint32_t lanes)
    : leader(rank), place(rank), leader_count(static_cast<std::uint32_t>(members.size())) {
  if (lanes == 1) return;
  std::uint32_t const own_process = number(members[rank]) / lanes;
  std::unordered_map<std::uint32_t, std::uint32_t> seen;  // by process: the place of its leader
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    std::uint32_t const process = number(members[i]) / lanes;
    bool const leads = seen.emplace(process, static_cast<std::uint32_t>(leaders.size())).second;
    if (leads) leaders.push_back(i);
    if (process == own_process && leads) leader = i;
    if (process == own_process && !leads) followers.push_back(i);
  }
  place = seen.at(own_process);
  leader_count = static_cast<std::uint32_t>(leaders.size());
  if (leader == rank) return;
  followers = {};  // nobody asks a follower for them
  leaders = {};
}

}  // namespace sheaf::detail
