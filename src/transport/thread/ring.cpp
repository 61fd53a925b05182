// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/thread/ring.hpp"

namespace sheaf::threads {

void ring_sender::refresh() noexcept {
  known_ = ring_.consumed.load(std::memory_order_acquire);
  give_back_before(known_);
}

void ring_sender::abandon() noexcept { give_back_before(sent_); }

void ring_sender::give_back_before(std::uint64_t position) noexcept {
  while (flights_ != 0 && flying_[oldest_].position < position) {
    pool_.put(flying_[oldest_].data, flying_[oldest_].capacity);
    if (++oldest_ == flying_.size()) oldest_ = 0;
    --flights_;
  }
}

void ring_sender::put_block(std::span<std::byte> bytes, std::size_t capacity, store_load_order const& order) noexcept {
  std::size_t place = oldest_ + flights_;
  if (place >= flying_.size()) place -= flying_.size();
  flying_[place] = {sent_, bytes.data(), capacity};
  ++flights_;
  ring_slot& slot = ring_.slots[next_];
  slot.inline_bytes = 0;
  slot.block = bytes;
  hand_over(slot, order);
}

}  // namespace sheaf::threads
