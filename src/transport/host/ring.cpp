// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/ring.hpp"

#include <new>

namespace sheaf::host {

ring_sender::ring_sender(location_id source, traffic kind, std::uint32_t slots, std::uint32_t window, doorbell& bell,
                         block_pool& pool, std::size_t& in_flight, host_memory& from)
    : pool_(pool),
      in_flight_(in_flight),
      from_(from),
      ring_(*::new (from.take(ring::bytes(slots))) host::ring{source, kind, slots, &bell}),
      flying_(window < slots ? window : slots) {
  for (std::uint32_t i = 0; i < slots; ++i) ::new (ring_.slots() + i) ring_slot;
}

ring_sender::~ring_sender() { from_.give_back(reinterpret_cast<std::byte*>(&ring_), ring::bytes(ring_.size)); }

void ring_sender::refresh() noexcept {
  known_ = ring_.consumed.load(std::memory_order_acquire);
  give_back_before(known_);
  take_returned();
}

void ring_sender::abandon() noexcept {
  give_back_before(sent_);
  take_returned();
}

void ring_sender::give_back(std::byte* data, std::size_t capacity) noexcept {
  pool_.put(data, capacity);
  in_flight_ -= capacity;
}

/// The receiver said so before it returned the credit of the entry, whose slot has not been written again.
bool ring_sender::was_kept(std::uint64_t position) noexcept {
  if (ring_.kept.load(std::memory_order_relaxed) == kept_seen_) return false;
  if (!ring_.slots()[position % ring_.size].block.kept) return false;
  ++kept_seen_;
  ++kept_;
  return true;
}

/// A block that is kept stays in the count of what is in flight until it comes back.
void ring_sender::take_returned() noexcept {
  if (kept_ == 0 || ring_.returned.load(std::memory_order_relaxed) == nullptr) return;
  returned_block* next = ring_.returned.exchange(nullptr, std::memory_order_acquire);
  while (next != nullptr) {
    returned_block const block = *next;
    give_back(reinterpret_cast<std::byte*>(next), block.capacity);
    --kept_;
    next = block.next;
  }
}

void ring_sender::give_back_before(std::uint64_t position) noexcept {
  while (flights_ != 0 && flying_[oldest_].position < position) {
    if (!was_kept(flying_[oldest_].position)) give_back(flying_[oldest_].data, flying_[oldest_].capacity);
    if (++oldest_ == flying_.size()) oldest_ = 0;
    --flights_;
  }
}

void ring_sender::put_block(std::span<std::byte> bytes, std::size_t capacity) noexcept {
  std::size_t place = oldest_ + flights_;
  if (place >= flying_.size()) place -= flying_.size();
  flying_[place] = {sent_, bytes.data(), capacity};
  ++flights_;
  in_flight_ += capacity;
  ring_slot& slot = ring_.slots()[next_];
  slot.inline_bytes = 0;
  slot.block = {bytes, capacity, false};
  hand_over(slot);
}

}  // namespace sheaf::host
