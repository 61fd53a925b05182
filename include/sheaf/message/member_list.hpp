// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sheaf/base/location_id.hpp"

namespace sheaf::detail {

/// The members of a team, by rank. Where their numbers have one distance, as those of the world, of a block, a row or a
/// column, no list of them is kept.
class member_list {
 public:
  /// Locations 0 … count−1.
  [[nodiscard]] static member_list everybody(std::uint32_t count) {
    member_list all;
    all.count_ = count;
    return all;
  }
  member_list(std::vector<location_id> in_order);  // NOLINT: a list in order is one

  [[nodiscard]] std::uint32_t size() const { return count_; }
  [[nodiscard]] location_id operator[](std::uint64_t rank) const {
    if (!list_.empty()) return list_[rank];
    return location_id{first_ + static_cast<std::uint32_t>(rank) * distance_};
  }
  /// size(): it is no member.
  [[nodiscard]] std::uint32_t rank_of(location_id member) const;
  [[nodiscard]] std::vector<location_id> in_order() const;

  bool operator==(member_list const&) const = default;

 private:
  member_list() = default;

  std::uint32_t first_ = 0;
  std::uint32_t distance_ = 1;  // modulo 2^32, so that it may be negative
  std::uint32_t count_ = 0;
  std::vector<location_id> list_;
};

}  // namespace sheaf::detail
