// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::detail {

struct outbox;

/// The outboxes of requests to a team's members, by rank, in front of the stream's table. A rank that no member has is
/// never in it, so that looking a rank up checks it, too. It reaches to the highest rank that was used. Teams of more
/// than `most` members have none, as they may use few of many.
class member_boxes {
 public:
  static constexpr std::uint64_t most = 4096;

  /// Null: the rank is not here, or no member has it.
  [[nodiscard]] outbox* find(std::uint64_t rank) const { return rank < count_ ? first_[rank] : nullptr; }

  /// `box` is that of requests to `rank` of so many members.
  void put(std::uint64_t rank, outbox& box, std::uint64_t members) {
    if (members > most) return;
    if (rank >= count_) all_.resize(rank + 1);
    all_[rank] = &box;
    first_ = all_.data();
    count_ = all_.size();
  }

 private:
  std::vector<outbox*> all_;
  outbox* const* first_ = nullptr;  // of `all_`, whose size is a subtraction
  std::uint64_t count_ = 0;
};

}  // namespace sheaf::detail
