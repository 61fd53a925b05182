// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/ring.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <new>

namespace sheaf::host {
namespace {

long futex(std::atomic<std::uint32_t>& word, doorbell::used_by whom, int operation, std::uint32_t value,
           timespec const* until) noexcept {
  static_assert(sizeof word == sizeof value);
  int const reach = whom == doorbell::used_by::one_process ? FUTEX_PRIVATE_FLAG : 0;
  return syscall(SYS_futex, &word, operation | reach, value, until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace

/// Returns at once where the bell is disarmed already, or the other sleeper comes or goes. May return early.
void doorbell::wait(std::uint32_t bit, std::uint64_t deadline_ns) noexcept {
  std::uint32_t const armed = armed_.load(std::memory_order_seq_cst);
  if ((armed & bit) == 0) return;
  timespec until{};
  until.tv_sec = static_cast<time_t>(deadline_ns / 1'000'000'000);
  until.tv_nsec = static_cast<long>(deadline_ns % 1'000'000'000);
  futex(armed_, used_by_, FUTEX_WAIT_BITSET, armed, deadline_ns == 0 ? nullptr : &until);
}

void doorbell::wake() noexcept {
  if (armed_.exchange(0, std::memory_order_seq_cst) != 0) futex(armed_, used_by_, FUTEX_WAKE_BITSET, INT_MAX, nullptr);
}

ring_sender::ring_sender(location_id source, traffic kind, std::uint32_t slots, std::uint32_t window, doorbell& bell,
                         block_pool& pool, std::size_t& in_flight, host_memory& from)
    : pool_(pool),
      in_flight_(in_flight),
      from_(from),
      ring_(*::new (from.take(ring::bytes(slots))) host::ring{source, kind, slots, &bell}),
      window_(window) {
  for (std::uint32_t i = 0; i < slots; ++i) ::new (ring_.slots() + i) ring_slot;
}

ring_sender::~ring_sender() { from_.give_back(reinterpret_cast<std::byte*>(&ring_), ring::bytes(ring_.size)); }

void ring_sender::refresh() noexcept {
  known_ = ring_.consumed.load(std::memory_order_acquire);
  reclaim_before(known_);
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
void ring_sender::reclaim_before(std::uint64_t position) noexcept {
  for (; !flying_.empty() && flying_.front().position < position; flying_.drop()) {
    flight const& oldest = flying_.front();
    if (!was_kept(oldest.position)) give_back(oldest.data, oldest.capacity);
  }
  for (returned_block* next = kept_ != 0 ? ring_.returned.take_all() : nullptr; next != nullptr; --kept_) {
    returned_block const block = *next;
    give_back(reinterpret_cast<std::byte*>(next), block.capacity);
    next = block.next;
  }
}

void ring_sender::put_block(std::span<std::byte> bytes, std::size_t capacity) {
  flying_.push({sent_, bytes.data(), capacity});
  in_flight_ += capacity;
  ring_slot& slot = ring_.slots()[next_];
  slot.inline_bytes = 0;
  slot.block = {bytes, capacity, false};
  hand_over(slot);
}

void inbox::add(ring& from, std::span<std::byte const> memory) {
  place_of_[number(from.source)] = static_cast<std::uint32_t>(sources_.size());
  auto const head = static_cast<std::uint32_t>(heads_->size());
  sources_.push_back({.slot = from.slots(), .turn = 1, .head = head, .from = &from, .memory = memory});
  heads_->push_back({&from.slots()->turn, 1});
  looks_ = sources_.size() <= turns_per_poll + hot_sources ? sources_.size() : turns_per_poll;
}

void inbox::warm(std::uint32_t place) noexcept {
  if (hot_[0] == place) return;
  hot_[1] = hot_[0];
  hot_[0] = place;
}

/// The source that was active before the last one comes first, so that two take turns.
bool inbox::poll_hot(arrival& out) {
  for (std::uint32_t const place : {hot_[1], hot_[0]}) {
    if (is_ready(sources_[place])) return deliver(place, out);
  }
  return false;
}

/// The bytes of an entry, as read once: another process may write the slot again.
std::span<std::byte const> inbox::checked(source const& s, std::uint32_t inline_bytes, placed_block block) {
  if (inline_bytes > ring_slot::inline_capacity) {
    throw damaged_entry{s.from->source, "it is longer than its slot"};
  }
  if (inline_bytes != 0) return {s.slot->bytes, inline_bytes};
  auto const at =
      reinterpret_cast<std::uintptr_t>(block.bytes.data()) - reinterpret_cast<std::uintptr_t>(s.memory.data());
  bool const inside = at < s.memory.size() && block.capacity <= s.memory.size() - at;
  if (!inside || block.bytes.empty() || block.bytes.size() > block.capacity) {
    throw damaged_entry{s.from->source, "its block is not in its process's memory"};
  }
  return block.bytes;
}

namespace {
/// At once, not each when it is read: they are in the sender's cache.
void fetch_first_lines(std::span<std::byte const> bytes) {
  constexpr std::size_t most = 640;
  for (std::size_t at = 0; at < std::min(bytes.size(), most); at += host_memory::line)
    __builtin_prefetch(bytes.data() + at);
}
}  // namespace

bool inbox::deliver(std::size_t place, arrival& out) {
  source& s = sources_[place];
  (*heads_)[s.head].turn = ~s.turn;
  warm(static_cast<std::uint32_t>(place));
  ring_slot const& slot = *s.slot;
  out.source = s.from->source;
  out.kind = s.from->kind;
  if (!s.memory.empty()) {
    out.bytes = checked(s, slot.inline_bytes, slot.block);
  } else {
    out.bytes = slot.inline_bytes != 0 ? std::span<std::byte const>(slot.bytes, slot.inline_bytes)
                                       : std::span<std::byte const>(slot.block.bytes);
  }
  fetch_first_lines(out.bytes);
  return true;
}

bool inbox::any_ready() noexcept {
  for (std::size_t look = 0, place = turn_; look != sources_.size(); ++look) {
    if (++place >= sources_.size()) place = 0;
    if (!is_ready(sources_[place])) continue;
    warm(static_cast<std::uint32_t>(place));
    return true;
  }
  return false;
}

buffer inbox::keep_head(source& s) {
  if (s.kept == nullptr) s.kept = std::make_shared<way_back>(s.from->returned);
  placed_block const block = s.slot->block;
  if (!s.memory.empty()) {
    checked(s, 0, block);
    if (block.capacity <= ring_slot::inline_capacity) throw damaged_entry{s.from->source, "its block has changed"};
  }
  s.slot->block.kept = true;
  s.from->kept.fetch_add(1, std::memory_order_relaxed);
  return {s.kept.get(), block.bytes.data(), block.capacity};
}

void inbox::consumed(location_id from, buffer* keep) {
  source& s = sources_[place_of_[number(from)]];
  if (keep != nullptr) *keep = keep_head(s);
  ring_slot* const first = s.from->slots();
  if (++s.slot == first + s.from->size) s.slot = first;
  (*heads_)[s.head] = {&s.slot->turn, ++s.turn};
  s.from->consumed.store(++s.done, std::memory_order_seq_cst);
  if (s.from->wants_credit.load(std::memory_order_seq_cst)) s.from->sender->ring();
}

}  // namespace sheaf::host
