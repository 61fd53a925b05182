// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/outbound.hpp"

#include <algorithm>
#include <utility>

namespace sheaf::mpi {

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
  h.sequence = peers_[to.dest].out[static_cast<std::size_t>(to.kind)].sequence++;
  start(to.dest, h, std::move(bytes), nullptr);
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
  h.sequence = lane.sequence++;
  ++lane.parts_in_flight;
  start(to.dest, h, std::move(block), &lane);
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

void outbound::acknowledge(std::uint32_t dest) {
  packet_header h;
  h.kind = packet_kind::acknowledgement;
  start(dest, h, pool_.take(1), nullptr);
}

bool outbound::settle(send_lane& lane, std::uint32_t total) noexcept {
  std::uint32_t const news = total - lane.acknowledged;
  if (news == 0 || news > UINT32_MAX / 2) return true;  // an older packet that was overtaken
  if (news > lane.sent - lane.acknowledged) return false;
  lane.acknowledged = total;
  while (!lane.buffers.empty() && lane.buffers.front() - total > UINT32_MAX / 2) lane.buffers.drop();
  return true;
}

void outbound::start(std::uint32_t dest, packet_header h, buffer&& block, send_lane* part_of) {
  if (in_flight_ >= reclaim_at_) reclaim();
  peer& to = peers_[dest];
  for (std::size_t k = 0; k < 2; ++k) {
    h.consumed[k] = to.in[k].told = to.in[k].consumed;
    to.in[k].owed_buffers = 0;
  }
  write_header(block.data(), h);
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  std::uint32_t const slot = free_slots_.back();
  free_slots_.pop_back();
  ++packets_;
  ++in_flight_;
  std::span<std::byte const> const packet(block.data() - header_bytes, header_bytes + block.size());
  slots_[slot].block.swap(block);
  slots_[slot].part_of = part_of;
  wire_.start_send(slot, dest, packet);
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
    for (completion const& c : std::span(done, n)) {
      sending& s = slots_[c.slot];
      if (s.part_of != nullptr) --s.part_of->parts_in_flight;
      s.block = {};
      free_slots_.push_back(c.slot);
      --in_flight_;
    }
  }
  reclaim_at_ = std::max<std::uint32_t>(16, 2 * in_flight_);
}

}  // namespace sheaf::mpi
