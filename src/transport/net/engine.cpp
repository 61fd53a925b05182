// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/engine.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "sheaf/base/error.hpp"

namespace sheaf::net {

engine::engine(bootstrap& among, wire& line, limits const& l)
    : job(among),
      sizes(l),
      wire_(line),
      pool_(l.payload, line.memory(), {.smallest = 64, .front = header_bytes}),
      peers_(among.size()),
      done_(64),  // at once
      rooms_(l.receives) {
  for (std::uint32_t slot = 0; slot < l.receives; ++slot) vacant_.push_back(slot);
  post_vacant();
}

engine::~engine() { wire_.withdraw_receives(); }

void engine::poll() {
  post_vacant();
  std::size_t const n = wire_.poll(done_);
  for (completion const& c : std::span(done_.data(), n)) {
    if (c.what == direction::receive) {
      accept(c);
      continue;
    }
    sends_[c.slot] = {};
    free_sends_.push_back(c.slot);
    --in_flight_;
  }
  try_again();
}

void engine::damaged(std::uint32_t source, char const* what) const {
  throw error("process " + std::to_string(job.rank()) + " received a damaged packet from process " +
              std::to_string(source) + ": " + what);
}

// ---- Sending -----------------------------------------------------------------------------------------------------

/// Gives a packet its number. From then on the order in which the wire gets it does not matter.
void engine::form(std::uint32_t dest, packet_kind kind, buffer&& packet) {
  write_header(packet.data(), {kind == packet_kind::call ? 0 : peers_[dest].sequence++, kind});
  outgoing o{std::move(packet), dest, kind};
  if (!refused_.empty() || !start(o)) refused_.push(std::move(o));
}

/// False: the wire refuses it.
bool engine::start(outgoing& o) {
  if (free_sends_.empty()) {
    free_sends_.push_back(static_cast<std::uint32_t>(sends_.size()));
    sends_.emplace_back();
  }
  std::uint32_t const slot = free_sends_.back();
  auto const how = wire_.start_send(slot, o.dest, {o.block.data() - header_bytes, header_bytes + o.block.size()});
  if (how == wire::sent::try_again) return false;
  if (o.kind != packet_kind::call) ++sent_;
  if (how == wire::sent::ended) {
    o = {};
    return true;
  }
  sends_[slot] = std::move(o);
  free_sends_.pop_back();
  ++in_flight_;
  return true;
}

void engine::try_again() {
  for (; !refused_.empty(); refused_.drop()) {
    if (!start(refused_.front())) return;
  }
}

// ---- Receiving ---------------------------------------------------------------------------------------------------

void engine::post_vacant() {
  for (; !vacant_.empty(); vacant_.pop_back()) {
    std::uint32_t const slot = vacant_.back();
    buffer& room = rooms_[slot];
    if (!room) room = take(sizes.payload);
    if (!wire_.start_receive(slot, {room.data() - header_bytes, header_bytes + sizes.payload})) return;
  }
}

void engine::accept(completion const& c) {
  if (c.source >= peers_.size() || c.source == job.rank()) damaged(c.source, "no process of the job has this number");
  if (c.bytes < header_bytes || c.bytes > header_bytes + sizes.payload) {
    damaged(c.source, "its length is not possible");
  }
  buffer& room = rooms_[c.slot];
  packet_header h;
  std::memcpy(&h, room.data() - header_bytes, header_bytes);
  std::size_t const payload = c.bytes - header_bytes;
  if (h.kind > packet_kind::call || (h.kind == packet_kind::call) != (payload == 0)) {
    damaged(c.source, "its header is not possible");
  }
  peer& from = peers_[c.source];
  vacant_.push_back(c.slot);
  if (h.kind == packet_kind::call) {
    from.called = true;
    return;
  }

  ++received_;
  std::uint32_t const ahead = h.sequence - from.expected;
  if (ahead > UINT32_MAX / 2) damaged(c.source, "it came twice");
  room.set_size(payload);
  if (ahead != 0) {
    buffer early = payload > sizes.copied() ? std::move(room) : copy_of(room);
    if (!early_.emplace(early_key(c.source, h.sequence), std::move(early)).second) damaged(c.source, "it came twice");
    ++from.early;
    return;
  }
  ++from.expected;
  ready_.push({c.source, std::move(room)});
  if (from.early != 0) take_early(c.source);
}

void engine::take_early(std::uint32_t source) {
  peer& from = peers_[source];
  while (from.early != 0) {
    auto const next = early_.find(early_key(source, from.expected));
    if (next == early_.end()) break;
    ready_.push({source, std::move(next->second)});
    early_.erase(next);
    --from.early;
    ++from.expected;
  }
}

buffer engine::copy_of(buffer const& packet) {
  buffer copy = take(packet.size());
  std::memcpy(copy.data(), packet.data(), packet.size());
  copy.set_size(packet.size());
  return copy;
}

}  // namespace sheaf::net
