// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// Who acts for whom in a collective operation of values: within a process first, the leader of each process between
/// them. Representatives are numbered by their places; where a transport knows no processes, everybody is one, at the
/// place of its rank.
class representatives {
 public:
  /// `in_order`: values are put together in the order of ranks, and those of one process before others'. Where the
  /// members of processes do not follow one another in the team, everybody acts for itself then.
  representatives(location& here, team_state const& team, bool in_order)
      : team_(team), lanes_(here.connection().lanes()), flat_(lanes_ == 1 || (in_order && !in_blocks())) {}

  [[nodiscard]] bool acts() const { return leader() == team_.rank; }
  /// Of this member.
  [[nodiscard]] std::uint32_t leader() const { return flat_ ? team_.rank : team_.shape.leader; }
  [[nodiscard]] std::uint32_t place() const { return flat_ ? team_.rank : team_.shape.place; }
  [[nodiscard]] std::uint32_t count() const { return flat_ ? team_.size() : team_.shape.leader_count; }
  /// Of this representative: ranks in their order, all above its own.
  [[nodiscard]] std::span<std::uint32_t const> followers() const {
    return flat_ ? std::span<std::uint32_t const>() : std::span(team_.shape.followers);
  }

  // For representatives.
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t place) const { return flat_ ? place : team_.shape.rank_of(place); }
  /// The place of who acts for a member.
  [[nodiscard]] std::uint32_t place_for(std::uint32_t rank) const {
    if (flat_) return rank;
    auto const& all = team_.shape.leaders;
    auto const same = [&, process = process_of(rank)](std::uint32_t leader) { return process_of(leader) == process; };
    return static_cast<std::uint32_t>(std::find_if(all.begin(), all.end(), same) - all.begin());
  }

  /// The ranks that each place acts for, in their order.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> members() const {
    std::vector<std::vector<std::uint32_t>> all(count());
    for (std::uint32_t place = 0; place < count(); ++place) all[place].push_back(rank_of(place));
    if (flat_) return all;
    std::unordered_map<std::uint32_t, std::uint32_t> place_of;  // by process
    for (std::uint32_t place = 0; place < count(); ++place) place_of[process_of(rank_of(place))] = place;
    for (std::uint32_t rank = 0; rank < team_.size(); ++rank) {
      std::uint32_t const place = place_of[process_of(rank)];
      if (rank != rank_of(place)) all[place].push_back(rank);
    }
    return all;
  }

 private:
  [[nodiscard]] std::uint32_t process_of(std::uint32_t rank) const { return number(team_.members[rank]) / lanes_; }

  /// There are as many runs of neighbours from one process as there are processes.
  [[nodiscard]] bool in_blocks() const {
    std::uint32_t runs = 0;
    std::uint32_t first = 0;
    for (location_id const member : team_.members) {
      if (runs != 0 && number(member) - first < lanes_) continue;
      first = number(member) / lanes_ * lanes_;
      ++runs;
    }
    return runs == team_.shape.leader_count;
  }

  team_state const& team_;
  std::uint32_t const lanes_;
  bool const flat_;
};

}  // namespace sheaf::detail
