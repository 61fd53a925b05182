// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/inbox.hpp"

#include <new>

namespace sheaf::host {
namespace {

/// Kept blocks of one ring go back to its sender, from any thread.
class way_back final : public block_home {
 public:
  explicit way_back(ring& to) : to_(to) {}
  void give_back(std::byte* data, std::size_t capacity) noexcept override {
    auto* const block = ::new (data) returned_block{to_.returned.load(std::memory_order_relaxed), capacity};
    while (
        !to_.returned.compare_exchange_weak(block->next, block, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

 private:
  ring& to_;
};

}  // namespace

void inbox::add(ring& from) {
  place_of_[number(from.source)] = static_cast<std::uint32_t>(sources_.size());
  sources_.push_back({.head = from.slots(), .turn = 1, .from = &from});
}

void inbox::warm(std::uint32_t place) noexcept {
  if (hot_[0] == place) return;
  hot_[1] = hot_[0];
  hot_[0] = place;
}

/// The source that was active before the last one comes first, so that two take turns.
bool inbox::poll_hot(arrival& out) noexcept {
  for (std::uint32_t const place : {hot_[1], hot_[0]}) {
    if (sources_[place].ready()) return deliver(place, out);
  }
  return false;
}

bool inbox::deliver(std::size_t place, arrival& out) noexcept {
  source& s = sources_[place];
  s.held = true;
  warm(static_cast<std::uint32_t>(place));
  ring_slot const& slot = *s.head;
  out.source = s.from->source;
  out.kind = s.from->kind;
  out.bytes = slot.inline_bytes != 0 ? std::span<std::byte const>(slot.bytes, slot.inline_bytes)
                                     : std::span<std::byte const>(slot.block.bytes);
  return true;
}

bool inbox::any_ready() noexcept {
  for (std::size_t look = 0, place = turn_; look != sources_.size(); ++look) {
    if (++place >= sources_.size()) place = 0;
    if (!sources_[place].ready()) continue;
    warm(static_cast<std::uint32_t>(place));
    return true;
  }
  return false;
}

buffer inbox::keep_head(source& s) {
  if (s.kept == nullptr) s.kept = std::make_shared<way_back>(*s.from);
  placed_block& block = s.head->block;
  block.kept = true;
  s.from->kept.fetch_add(1, std::memory_order_relaxed);
  return {s.kept.get(), block.bytes.data(), block.capacity};
}

void inbox::consumed(location_id from, buffer* keep) {
  source& s = sources_[place_of_[number(from)]];
  if (keep != nullptr) *keep = keep_head(s);
  s.held = false;
  ring_slot* const first = s.from->slots();
  if (++s.head == first + s.from->size) s.head = first;
  ++s.turn;
  s.from->consumed.store(++s.done, std::memory_order_seq_cst);
  if (s.from->wants_credit.load(std::memory_order_seq_cst)) s.from->sender->ring();
}

}  // namespace sheaf::host
