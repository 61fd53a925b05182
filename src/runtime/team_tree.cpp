// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/team_tree.hpp"

#include <algorithm>

namespace sheaf::detail {

/// What processes are in one tree: who they are, and where the root and this one stand among them.
struct team_tree::level {
  bool flat;
  std::uint32_t places, root, own;

  level(team_state const& team, std::uint32_t origin)
      : flat(team.shape.all_lead() || !team.shape.in_blocks()),
        places(flat ? team.size() : team.shape.leader_count),
        root(flat ? origin : team.shape.place_of(origin)),
        own(flat ? team.rank : team.shape.place) {}
};

team_tree::team_tree(team_state const& team, std::uint32_t origin, std::uint32_t arity)
    : team_tree(team, origin, arity, level(team, origin)) {}

team_tree::team_tree(team_state const& team, std::uint32_t origin, std::uint32_t arity, level const& between)
    : shape_(team.shape),
      rank_(team.rank),
      origin_(origin),
      flat_(between.flat),
      places_(between.places),
      root_(between.root),
      speaker_(flat_                  ? rank_
               : between.own == root_ ? origin
                                      : shape_.leader),
      place_((between.own + places_ - root_) % places_, places_, arity),
      far_(rank_ == speaker_ ? place_.children() : 0) {
  if (flat_ || rank_ != speaker_) return;
  std::span const near = shape_.near();
  auto const self = static_cast<std::size_t>(std::lower_bound(near.begin(), near.end(), rank_) - near.begin());
  below_ = near.first(self);
  above_ = near.subspan(self + 1);
}

}  // namespace sheaf::detail
