// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/outbound.hpp"

#include <algorithm>
#include <utility>

namespace sheaf::net {
namespace {

std::uint32_t next_sequence(send_lane& lane) noexcept { return lane.sequence++; }

}  // namespace

void outbound::send(std::uint32_t dest, traffic kind, buffer&& bytes, bool counts_window) {
  send_lane& lane = peers_[dest].out[static_cast<std::size_t>(kind)];
  lane_name const to{dest, kind};
  if (lane.waiting.empty() && bytes.size() <= limits_.payload) return send_whole(to, std::move(bytes), counts_window);
  if (lane.waiting.empty()) cut_.push(to);
  lane.waiting.push({std::move(bytes), counts_window});
  progress();
}

void outbound::send_whole(lane_name to, buffer&& bytes, bool counts_window) {
  packet_header h;
  h.kind = static_cast<packet_kind>(to.kind);
  h.counts_window = counts_window;
  h.sequence = next_sequence(peers_[to.dest].out[static_cast<std::size_t>(to.kind)]);
  start(to.dest, h, std::move(bytes));
}

void outbound::send_part(lane_name to) {
  send_lane& lane = peers_[to.dest].out[static_cast<std::size_t>(to.kind)];
  entry const& whole = lane.waiting.front();
  buffer block = pool_.take(limits_.payload);
  std::size_t prefix = 0;
  if (lane.offset == 0) {
    std::uint64_t const total = whole.bytes.size();
    std::memcpy(block.data(), &total, size_prefix);
    prefix = size_prefix;
  }
  std::size_t const bytes = std::min(limits_.payload - prefix, whole.bytes.size() - lane.offset);
  std::memcpy(block.data() + prefix, whole.bytes.data() + lane.offset, bytes);
  block.set_size(prefix + bytes);
  lane.offset += bytes;

  packet_header h;
  h.kind = static_cast<packet_kind>(to.kind);
  h.counts_window = whole.counts_window;
  h.is_part = 1;
  h.sequence = next_sequence(lane);
  ++lane.parts_in_flight;
  start(to.dest, h, std::move(block));
}

/// False: nothing of the lane waits any more.
bool outbound::go_on(lane_name to) {
  send_lane& lane = peers_[to.dest].out[static_cast<std::size_t>(to.kind)];
  while (!lane.waiting.empty()) {
    if (lane.waiting.front().bytes.size() <= limits_.payload) {
      entry e = lane.waiting.pop();
      send_whole(to, std::move(e.bytes), e.counts_window);
      continue;
    }
    if (lane.parts_in_flight >= parts_ahead_) return true;
    send_part(to);
    if (lane.offset < lane.waiting.front().bytes.size()) continue;
    lane.waiting.front().bytes = {};
    lane.waiting.drop();
    lane.offset = 0;
  }
  return false;
}

void outbound::send_inline(std::uint32_t dest, traffic kind, std::span<std::byte const> bytes) {
  send_lane& lane = peers_[dest].out[static_cast<std::size_t>(kind)];
  if (!lane.waiting.empty()) [[unlikely]] {
    buffer block = pool_.take(bytes.size());
    std::memcpy(block.data(), bytes.data(), bytes.size());
    block.set_size(bytes.size());
    return send(dest, kind, std::move(block), false);
  }
  packet_header h;
  h.kind = static_cast<packet_kind>(kind);
  h.sequence = next_sequence(lane);
  std::uint32_t const slot = vacant_slot();
  std::byte* const to = slots_[slot].small.data();
  std::memcpy(to, bytes.data(), bytes.size());
  launch(slot, dest, h, {to, bytes.size()});
}

void outbound::acknowledge(std::uint32_t dest) {
  packet_header h;
  h.kind = packet_kind::acknowledgement;
  std::uint32_t const slot = vacant_slot();
  launch(slot, dest, h, {slots_[slot].small.data(), 0});
}

void outbound::start(std::uint32_t dest, packet_header h, buffer&& block) {
  std::uint32_t const slot = vacant_slot();
  sending& s = slots_[slot];
  s.block.swap(block);
  launch(slot, dest, h, {s.block.data(), s.block.size()});
}

std::uint32_t outbound::vacant_slot() {
  if (in_flight_ >= reclaim_at_) reclaim();
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back().small = pool_.take(limits_.inline_bytes);
  }
  std::uint32_t const slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

/// Puts the header in front of the payload, which has room for it, and starts the send.
void outbound::launch(std::uint32_t slot, std::uint32_t dest, packet_header h, std::span<std::byte> payload) {
  peer& to = peers_[dest];
  for (std::size_t k = 0; k < 2; ++k) h.consumed[k] = to.in[k].pay();
  write_header(payload.data(), h);
  ++packets_;
  ++in_flight_;
  sending& s = slots_[slot];
  s.lane = h.kind == packet_kind::acknowledgement ? nullptr : &to.out[static_cast<std::size_t>(h.kind)];
  s.is_part = h.is_part != 0;
  if (wire_.start_send(slot, dest, {payload.data() - header_bytes, header_bytes + payload.size()})) end(slot);
}

void outbound::end(std::uint32_t slot) {
  sending& s = slots_[slot];
  if (s.is_part) {
    --s.lane->parts_in_flight;
    ++parts_;
  }
  if (s.block) s.block = {};
  free_slots_.push_back(slot);
  --in_flight_;
}

void outbound::progress() {
  if (in_flight_ != 0) reclaim();
  for (std::size_t n = cut_.size(); n != 0; --n) {
    lane_name const to = cut_.pop();
    if (go_on(to)) cut_.push(to);
  }
}

void outbound::reclaim() {
  constexpr std::uint32_t at_once = 64;
  completion done[at_once];
  auto const all = static_cast<std::uint32_t>(slots_.size());
  for (std::uint32_t first = 0; first < all; first += at_once) {
    std::size_t const n = wire_.test(direction::send, first, std::min(at_once, all - first), done);
    for (completion const& c : std::span(done, n)) end(c.slot);
  }
  reclaim_at_ = std::max<std::uint32_t>(16, 2 * in_flight_);
}

}  // namespace sheaf::net
