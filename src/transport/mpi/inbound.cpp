// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/inbound.hpp"

#include <new>
#include <string>
#include <utility>

#include "sheaf/base/error.hpp"

namespace sheaf::mpi {

inbound::inbound(wire& line, block_pool& pool, limits const& l, std::vector<peer>& peers, outbound& out)
    : wire_(line),
      pool_(pool),
      limits_(l),
      peers_(peers),
      out_(out),
      self_(line.rank()),
      rooms_(l.receives),
      done_(l.receives) {
  for (std::uint32_t slot = 0; slot < l.receives; ++slot) vacant_.push_back(slot);
  post_vacant();
}

void inbound::post_vacant() {
  for (std::uint32_t const slot : vacant_) {
    buffer& room = rooms_[slot];
    if (!room) room = pool_.take(limits_.payload);
    wire_.start_receive(slot, {room.data() - header_bytes, header_bytes + limits_.payload});
    posted_.push(slot);
  }
  vacant_.clear();
}

void inbound::poll() {
  constexpr std::uint32_t other_every = 16;
  constexpr std::uint32_t wide_for = 16;
  if (!vacant_.empty()) post_vacant();
  std::uint32_t const oldest = posted_.front();
  std::uint32_t first = oldest;
  std::uint32_t count = 1;
  if (look_wide_ != 0) {
    --look_wide_;
    first = 0;
    count = limits_.receives;
  } else if (++polls_ % other_every == 0) {
    first = polls_ / other_every % limits_.receives;
  }
  std::size_t const n = wire_.test(direction::receive, first, count, done_);
  if (n > 1 || (n == 1 && done_[0].slot != oldest)) look_wide_ = wide_for;
  for (completion const& c : std::span(done_.data(), n)) accept(c);
}

void inbound::accept(completion c) {
  ++packets_;
  withdraw(c.slot);
  if (c.source >= peers_.size() || c.source == self_) damaged(c.source, "no process of the job has this number");
  if (c.bytes < header_bytes || c.bytes > header_bytes + limits_.payload) {
    damaged(c.source, "its length is not possible");
  }
  packet_header const h = read_header(rooms_[c.slot].data());
  std::size_t const payload = c.bytes - header_bytes;
  settle(c, h);
  if (h.kind == packet_kind::acknowledgement) return;
  if (h.kind > packet_kind::acknowledgement || payload == 0) damaged(c.source, "its header is not possible");

  auto const kind = static_cast<std::size_t>(h.kind);
  receive_lane& lane = peers_[c.source].in[kind];
  if (h.sequence == lane.expected && h.is_part == 0 && lane.assembly_bytes == 0) [[likely]] {
    ++lane.expected;
    entry& e = add_ready(c.source, kind);
    unpack(c.slot, payload, e.bytes);
    e.counts_window = h.counts_window != 0;
  } else {
    packet p{h, {}};
    unpack(c.slot, payload, p.bytes);
    if (h.sequence != lane.expected) return keep_early(c.source, kind, std::move(p));
    take_in_order(c.source, kind, std::move(p));
  }
  if (lane.early != 0) take_early(c.source, kind);
}

void inbound::withdraw(std::uint32_t slot) {
  vacant_.push_back(slot);
  if (posted_.front() == slot) {
    posted_.drop();
    return;
  }
  ring_queue<std::uint32_t> others;
  while (!posted_.empty()) {
    std::uint32_t const s = posted_.pop();
    if (s != slot) others.push(s);
  }
  posted_ = std::move(others);
}

void inbound::keep_early(std::uint32_t source, std::size_t kind, packet p) {
  receive_lane& lane = peers_[source].in[kind];
  bool const passed = p.header.sequence - lane.expected > UINT32_MAX / 2;
  if (passed || !early_.emplace(early_key(source, kind, p.header.sequence), std::move(p)).second) {
    damaged(source, "it came twice");
  }
  ++lane.early;
}

void inbound::take_early(std::uint32_t source, std::size_t kind) {
  receive_lane& lane = peers_[source].in[kind];
  while (lane.early != 0) {
    auto const next = early_.find(early_key(source, kind, lane.expected));
    if (next == early_.end()) break;
    packet p = std::move(next->second);
    early_.erase(next);
    --lane.early;
    take_in_order(source, kind, std::move(p));
  }
}

void inbound::settle(completion c, packet_header const& h) {
  for (std::size_t k = 0; k < 2; ++k) {
    if (!outbound::settle(peers_[c.source].out[k], h.consumed[k]))
      damaged(c.source, "it acknowledges what was not sent");
  }
}

/// Fills `bytes`, which is empty.
void inbound::unpack(std::uint32_t slot, std::size_t payload, buffer& bytes) {
  constexpr std::size_t worth_a_block = 8;
  buffer& room = rooms_[slot];
  if (payload > limits_.payload / worth_a_block) {
    bytes.swap(room);
  } else {
    ::new (static_cast<void*>(&bytes)) buffer(pool_.take(payload));  // in place: moving it costs 4 ns
    std::memcpy(bytes.data(), room.data(), payload);
  }
  bytes.set_size(payload);
}

void inbound::take_in_order(std::uint32_t source, std::size_t kind, packet p) {
  receive_lane& lane = peers_[source].in[kind];
  ++lane.expected;
  if (p.header.is_part != 0) return add_part(source, kind, p);
  if (lane.assembly_bytes != 0) damaged(source, "a part is missing before it");
  entry& e = add_ready(source, kind);
  e.bytes.swap(p.bytes);
  e.counts_window = p.header.counts_window != 0;
}

void inbound::add_part(std::uint32_t source, std::size_t kind, packet const& p) {
  receive_lane& lane = peers_[source].in[kind];
  std::span<std::byte const> part(p.bytes.data(), p.bytes.size());
  if (lane.assembly_bytes == 0) {
    std::uint64_t total = 0;
    if (part.size() < size_prefix) damaged(source, "the size of an entry is missing");
    std::memcpy(&total, part.data(), size_prefix);
    if (total <= limits_.payload) damaged(source, "the size of an entry is not possible");
    part = part.subspan(size_prefix);
    lane.assembly = pool_.take(total);
    lane.assembly_bytes = total;
  }
  buffer& whole = lane.assembly;
  if (part.size() > lane.assembly_bytes - whole.size()) damaged(source, "a part is too long");
  std::memcpy(whole.data() + whole.size(), part.data(), part.size());
  whole.set_size(whole.size() + part.size());
  if (whole.size() < lane.assembly_bytes) return;
  lane.assembly_bytes = 0;
  entry& e = add_ready(source, kind);
  e.bytes.swap(whole);
  e.counts_window = p.header.counts_window != 0;
}

/// A new entry behind those that are ready; its buffer is empty.
entry& inbound::add_ready(std::uint32_t source, std::size_t kind) {
  receive_lane& lane = peers_[source].in[kind];
  if (lane.ready.empty()) turns_[kind].push(source);
  return lane.ready.add();
}

bool inbound::deliver(wanted which, arrival& out) {
  for (std::size_t kind = 2; kind-- > (which == wanted::all ? 0u : 1u);) {
    if (turns_[kind].empty()) continue;
    std::uint32_t const source = turns_[kind].pop();
    receive_lane& lane = peers_[source].in[kind];
    buffer const& bytes = lane.ready.front().bytes;
    out = {location_id{source}, static_cast<traffic>(kind), {bytes.data(), bytes.size()}};
    return true;
  }
  return false;
}

void inbound::consumed(std::uint32_t source, traffic kind) {
  auto const k = static_cast<std::size_t>(kind);
  receive_lane& lane = peers_[source].in[k];
  bool const counts_window = lane.ready.front().counts_window;
  lane.ready.front().bytes = {};
  lane.ready.drop();
  if (!lane.ready.empty()) turns_[k].push(source);
  ++lane.consumed;
  if (source == self_) {
    lane.told = lane.consumed;
    static_cast<void>(outbound::settle(peers_[self_].out[k], lane.consumed));
    return;
  }
  lane.owed_buffers += counts_window;
  std::uint32_t const owed = lane.consumed - lane.told;
  if (owed >= limits_.ring_slots - limits_.ring_slots / 2 || lane.owed_buffers >= limits_.window - limits_.window / 2) {
    out_.acknowledge(source);
  } else {
    list_owed(source);
  }
}

void inbound::list_owed(std::uint32_t source) {
  if (std::exchange(peers_[source].owed_listed, true)) return;
  owed_.push(source);
}

void inbound::acknowledge_all() {
  while (!owed_.empty()) {
    std::uint32_t const source = owed_.pop();
    peer& p = peers_[source];
    p.owed_listed = false;
    if (p.in[0].consumed != p.in[0].told || p.in[1].consumed != p.in[1].told) out_.acknowledge(source);
  }
}

void inbound::damaged(std::uint32_t source, char const* what) const {
  throw error("location " + std::to_string(self_) + " received a damaged packet from location " +
              std::to_string(source) + ": " + what);
}

}  // namespace sheaf::mpi
