// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/team_shape.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sheaf::detail {

team_shape::team_shape(member_list const& members, std::uint32_t rank, std::uint32_t lanes)
    : leader(rank), place(rank), leader_count(members.size()) {
  if (lanes == 1) return;
  lists all;
  std::uint32_t const own_process = number(members[rank]) / lanes;
  std::unordered_map<std::uint32_t, std::uint32_t> seen;  // by process: the place of its leader
  std::uint32_t runs = 0;                                 // of neighbours from one process
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    std::uint32_t const process = number(members[i]) / lanes;
    auto const [at, leads] = seen.emplace(process, static_cast<std::uint32_t>(all.leaders.size()));
    if (leads) all.leaders.push_back(i);
    if (process == own_process) all.near.push_back(i);
    all.places.push_back(at->second);
    if (i == 0 || process != number(members[i - 1]) / lanes) ++runs;
  }
  leader = all.near.front();
  place = seen.at(own_process);
  leader_count = static_cast<std::uint32_t>(all.leaders.size());
  if (runs == leader_count) all.places = {};
  processes_.push_back(std::move(all));
}

std::span<std::uint32_t const> team_shape::near() const {
  return all_lead() ? std::span<std::uint32_t const>() : std::span(processes_[0].near);
}

std::span<std::uint32_t const> team_shape::followers() const { return all_lead() ? near() : near().subspan(1); }

std::uint32_t team_shape::place_of(std::uint32_t rank) const {
  if (all_lead()) return rank;
  if (!in_blocks()) return processes_[0].places[rank];
  auto const& all = processes_[0].leaders;
  return static_cast<std::uint32_t>(std::upper_bound(all.begin(), all.end(), rank) - all.begin()) - 1;
}

}  // namespace sheaf::detail
