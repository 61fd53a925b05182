// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/member_list.hpp"

#include <algorithm>
#include <utility>

namespace sheaf::detail {

member_list::member_list(std::vector<location_id> in_order) : count_(static_cast<std::uint32_t>(in_order.size())) {
  if (in_order.empty()) return;
  first_ = number(in_order[0]);
  distance_ = count_ > 1 ? number(in_order[1]) - first_ : 1;
  for (std::uint32_t rank = 0; rank < count_; ++rank) {
    if (number(in_order[rank]) == first_ + rank * distance_) continue;
    list_ = std::move(in_order);
    return;
  }
}

std::uint32_t member_list::rank_of(location_id member) const {
  std::uint32_t rank = 0;
  if (list_.empty() && distance_ == 1) {
    rank = number(member) - first_;
  } else {
    while (rank < count_ && (*this)[rank] != member) ++rank;
  }
  return std::min(rank, count_);
}

std::vector<location_id> member_list::in_order() const {
  std::vector<location_id> all(count_);
  for (std::uint32_t rank = 0; rank < count_; ++rank) all[rank] = (*this)[rank];
  return all;
}

}  // namespace sheaf::detail
