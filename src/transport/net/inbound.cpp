// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/inbound.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "sheaf/base/error.hpp"

namespace sheaf::net {
namespace {

void pass(receive_lane& lane) noexcept { ++lane.expected; }

bool in_turn(receive_lane const& lane, packet_header const& h) noexcept {
  return h.sequence == lane.expected % sequences;
}

}  // namespace

inbound::inbound(wire& line, block_pool& pool, limits const& l, std::vector<peer>& peers, outbound& out)
    : wire_(line),
      pool_(pool),
      limits_(l),
      peers_(peers),
      out_(out),
      self_(line.rank()),
      rooms_(l.receives),
      number_(l.receives),
      done_(l.receives) {
  for (std::uint32_t slot = 0; slot < l.receives; ++slot) vacant_.push_back(slot);
  post_vacant();
}

inbound::~inbound() { wire_.withdraw_receives(); }

void inbound::post_vacant() {
  for (std::uint32_t const slot : vacant_) {
    buffer& room = rooms_[slot];
    if (!room) room = pool_.take(limits_.payload);
    wire_.start_receive(slot, {room.data() - header_bytes, header_bytes + limits_.payload});
    number_[slot] = ++postings_;
    posted_.push({slot, postings_});
  }
  vacant_.clear();
}

/// Looks at the oldest receive, for with one envelope that one is matched first; from time to time at one of the
/// others, for matched first does not mean complete first; and at all of them for a while after one has overtaken
/// another.
void inbound::poll() {
  constexpr std::uint32_t other_every = 16;
  constexpr std::uint32_t wide_for = 16;
  // A packet that is awaited holds a receive already, so leaving the others vacant cannot stop it.
  if (!vacant_.empty() && early_.size() < most_early) post_vacant();
  if (posted_.empty()) return;
  std::uint32_t first = posted_.front().slot;
  std::uint32_t count = 1;
  if (look_wide_ != 0) {
    --look_wide_;
    first = 0;
    count = limits_.receives;
  } else if (++polls_ % other_every == 0) {
    first = polls_ / other_every % limits_.receives;
  }
  std::size_t const n = wire_.test(direction::receive, first, count, done_);
  if (n == 0) return;
  for (completion const& c : std::span(done_.data(), n)) accept(c);
  drop_withdrawn();
  if (overtaken_ != 0) look_wide_ = count == 1 ? 1 : wide_for;  // after one look, older ones may have ended too
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
  bool const bare = h.kind == packet_kind::acknowledgement;
  if (h.kind > packet_kind::acknowledgement || bare != (payload == 0)) damaged(c.source, "its header is not possible");
  settle(c.source, h);
  if (bare) {
    ++peers_[c.source].calls;
    return vacant_.push_back(c.slot);
  }

  auto const kind = static_cast<std::size_t>(h.kind);
  receive_lane& lane = peers_[c.source].in[kind];
  if (in_turn(lane, h) && h.is_part == 0 && lane.assembly_bytes == 0) [[likely]] {
    pass(lane);
    take_whole(c, kind, payload, h.counts_window != 0);
  } else {
    packet p{h, {}};
    unpack(c.slot, payload, p.bytes);
    if (!in_turn(lane, h)) return keep_early(c.source, kind, std::move(p));
    take_in_order(c.source, kind, std::move(p));
  }
  if (lane.early != 0) take_early(c.source, kind);
}

/// A whole entry in its turn.
void inbound::take_whole(completion c, std::size_t kind, std::size_t payload, bool counts_window) {
  if (lent_ < limits_.receives / 2) [[likely]] {
    ++lent_;
    ready_entry& e = add_ready(c.source, kind, counts_window);
    e.data = rooms_[c.slot].data();
    e.size = payload;
    e.slot = c.slot;
    return;
  }
  buffer bytes;
  unpack(c.slot, payload, bytes);
  add_ready(c.source, kind, counts_window, bytes);
}

void inbound::withdraw(std::uint32_t slot) {
  number_[slot] = 0;
  ++overtaken_;
}

void inbound::drop_withdrawn() {
  while (!posted_.empty() && number_[posted_.front().slot] != posted_.front().number) {
    posted_.drop();
    --overtaken_;
  }
}

void inbound::keep_early(std::uint32_t source, std::size_t kind, packet p) {
  receive_lane& lane = peers_[source].in[kind];
  bool const passed = (p.header.sequence - lane.expected) % sequences > sequences / 2;
  if (passed || !early_.emplace(early_key(source, kind, p.header.sequence), std::move(p)).second) {
    damaged(source, "it came twice");
  }
  ++lane.early;
}

void inbound::take_early(std::uint32_t source, std::size_t kind) {
  receive_lane& lane = peers_[source].in[kind];
  while (lane.early != 0) {
    auto const next = early_.find(early_key(source, kind, lane.expected % sequences));
    if (next == early_.end()) break;
    packet p = std::move(next->second);
    early_.erase(next);
    --lane.early;
    take_in_order(source, kind, std::move(p));
  }
}

void inbound::settle(std::uint32_t source, packet_header const& h) {
  for (std::size_t k = 0; k < 2; ++k) {
    if (!peers_[source].out[k].settle(h.consumed[k])) damaged(source, "it acknowledges what was not sent");
  }
}

/// Fills `bytes`, which is empty; the slot is vacant then.
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
  vacant_.push_back(slot);
}

void inbound::take_in_order(std::uint32_t source, std::size_t kind, packet p) {
  receive_lane& lane = peers_[source].in[kind];
  pass(lane);
  if (p.header.is_part != 0) return add_part(source, kind, p);
  if (lane.assembly_bytes != 0) damaged(source, "a part is missing before it");
  add_ready(source, kind, p.header.counts_window != 0, p.bytes);
}

void inbound::add_part(std::uint32_t source, std::size_t kind, packet const& p) {
  ++parts_;
  receive_lane& lane = peers_[source].in[kind];
  std::span<std::byte const> part(p.bytes.data(), p.bytes.size());
  if (lane.assembly_bytes == 0) {
    std::uint64_t total = 0;
    if (part.size() < size_prefix) damaged(source, "the size of an entry is missing");
    std::memcpy(&total, part.data(), size_prefix);
    if (total <= limits_.payload) damaged(source, "the size of an entry is not possible");
    part = part.subspan(size_prefix);
    lane.assembly_bytes = total;
  }
  buffer& whole = lane.assembly;
  if (part.size() > lane.assembly_bytes - whole.size()) damaged(source, "a part is too long");
  make_room(lane, part.size());
  std::memcpy(whole.data() + whole.size(), part.data(), part.size());
  whole.set_size(whole.size() + part.size());
  if (whole.size() < lane.assembly_bytes) return;
  lane.assembly_bytes = 0;
  add_ready(source, kind, p.header.counts_window != 0, whole);
}

/// For the next part. A stated size alone takes little memory, whatever it is: beyond that, as much as has come.
void inbound::make_room(receive_lane& lane, std::size_t more) {
  constexpr std::size_t taken_at_once = std::size_t{64} << 20;
  buffer& whole = lane.assembly;
  std::size_t const needed = whole.size() + more;
  if (whole && needed <= whole.capacity()) return;
  buffer larger = pool_.take(std::min(lane.assembly_bytes, std::max(taken_at_once, 2 * needed)));
  if (whole) std::memcpy(larger.data(), whole.data(), whole.size());
  larger.set_size(whole.size());
  whole.swap(larger);
}

/// A new entry behind those that are ready, without bytes.
ready_entry& inbound::add_ready(std::uint32_t source, std::size_t kind, bool counts_window) {
  receive_lane& lane = peers_[source].in[kind];
  if (lane.ready.empty()) turns_[kind].push(source);
  ready_entry& e = lane.ready.add();
  e.counts_window = counts_window;
  return e;
}

void inbound::add_ready(std::uint32_t source, std::size_t kind, bool counts_window, buffer& bytes) {
  ready_entry& e = add_ready(source, kind, counts_window);
  e.block.swap(bytes);
  e.data = e.block.data();
  e.size = e.block.size();
  e.slot = ready_entry::no_slot;
}

bool inbound::deliver(wanted which, arrival& out) {
  for (std::size_t kind = 2; kind-- > (which == wanted::all ? 0u : 1u);) {
    if (turns_[kind].empty()) continue;
    std::uint32_t const source = turns_[kind].pop();
    receive_lane& lane = peers_[source].in[kind];
    ready_entry const& e = lane.ready.front();
    out = {location_id{source}, static_cast<traffic>(kind), {e.data, e.size}};
    return true;
  }
  return false;
}

buffer inbound::take(std::uint32_t source, traffic kind) {
  ready_entry& e = peers_[source].in[static_cast<std::size_t>(kind)].ready.front();
  buffer bytes;
  if (e.slot == ready_entry::no_slot) {
    bytes.swap(e.block);
  } else {
    unpack(e.slot, e.size, bytes);
    e.slot = ready_entry::no_slot;
    --lent_;
  }
  consumed(source, kind);
  return bytes;
}

void inbound::consumed(std::uint32_t source, traffic kind) {
  auto const k = static_cast<std::size_t>(kind);
  receive_lane& lane = peers_[source].in[k];
  ready_entry& e = lane.ready.front();
  bool const counts_window = e.counts_window;
  if (e.slot != ready_entry::no_slot) [[likely]] {
    vacant_.push_back(e.slot);
    --lent_;
  } else {
    e.block = {};
  }
  lane.ready.drop();
  if (!lane.ready.empty()) turns_[k].push(source);
  lane.add(counts_window);
  if (lane.due(limits_)) {
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
    if (p.in[0].owed != 0 || p.in[1].owed != 0) out_.acknowledge(source);
  }
}

void inbound::damaged(std::uint32_t source, char const* what) const {
  throw error("MPI rank " + std::to_string(self_) + " received a damaged packet from rank " + std::to_string(source) +
              ": " + what);
}

}  // namespace sheaf::net
