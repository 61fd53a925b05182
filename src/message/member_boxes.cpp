// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/member_boxes.hpp"

#include <utility>

namespace sheaf::detail {

member_boxes::member_boxes() { make(least); }

/// The rank in a free slot is one that belongs into another slot, so that no rank finds it.
void member_boxes::make(std::uint64_t slots) {
  slots_.resize(slots);
  mask_ = slots - 1;
  for (std::uint64_t i = 0; i < slots; ++i) slots_[i] = {i ^ 1, nullptr};
}

/// False: the table is as large as it gets. Without conflicts there are as many slots as members.
bool member_boxes::grow(std::uint64_t members) {
  std::uint64_t const before = slots();
  if (before >= members || before >= most_for_each * met_) return false;
  std::vector<slot> const old = std::exchange(slots_, {});
  make(2 * before);
  for (std::uint64_t i = 0; i < before; ++i) {
    if (old[i].box != nullptr) slots_[old[i].rank & mask_] = old[i];
  }
  return true;
}

void member_boxes::put(std::uint64_t rank, outbox& box, std::uint64_t members) {
  ++met_;
  while (at(rank).box != nullptr && grow(members)) {
  }
  slots_[rank & mask_] = {rank, &box};
}

}  // namespace sheaf::detail
