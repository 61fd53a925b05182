// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/engine.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "sheaf/base/error.hpp"

namespace sheaf::net {
namespace {

constexpr std::size_t completions_at_once = 64;

/// How many parts for one process are under way at once: about 256 KiB, which are copies.
std::uint32_t parts_ahead(std::size_t payload) noexcept {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>((std::size_t{256} << 10) / payload, 4, 64));
}

}  // namespace

engine::engine(bootstrap& among, wire& line, limits const& l)
    : job(among),
      sizes(l),
      wire_(line),
      pool_(l.payload, line.memory(), {.smallest = 64, .front = header_bytes}),
      most_parts_ahead_(parts_ahead(l.payload)),
      peers_(among.size()),
      done_(completions_at_once),
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
    ended(std::exchange(sends_[c.slot], {}));
    free_sends_.push_back(c.slot);
    --in_flight_;
  }
  go_on();
}

void engine::damaged(std::uint32_t source, char const* what) const {
  throw error("process " + std::to_string(job.rank()) + " received a damaged packet from process " +
              std::to_string(source) + ": " + what);
}

// ---- Sending -----------------------------------------------------------------------------------------------------

void engine::send(std::uint32_t dest, buffer&& packet) {
  peer& to = peers_[dest];
  if (to.waiting.empty()) {
    if (packet.size() <= sizes.payload) return form(dest, packet_kind::whole, std::move(packet));
    cut_.push(dest);
  }
  to.waiting.push(std::move(packet));
  go_on();
}

void engine::call(std::uint32_t dest) { form(dest, packet_kind::call, take(1)); }

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
    ended(std::exchange(o, {}));
    return true;
  }
  sends_[slot] = std::move(o);
  free_sends_.pop_back();
  ++in_flight_;
  return true;
}

void engine::ended(outgoing const& o) noexcept {
  if (o.kind != packet_kind::part) return;
  --peers_[o.dest].parts_ahead;
  ++parts_;
}

/// Goes on with what the wire has refused, and then with what is being cut.
void engine::go_on() {
  for (; !refused_.empty(); refused_.drop()) {
    if (!start(refused_.front())) return;
  }
  for (std::size_t n = cut_.size(); n != 0 && refused_.empty(); --n) {
    std::uint32_t const dest = cut_.pop();
    if (cut_more(dest)) cut_.push(dest);
  }
}

/// False: nothing waits for that process any more.
bool engine::cut_more(std::uint32_t dest) {
  peer& to = peers_[dest];
  while (!to.waiting.empty() && refused_.empty()) {
    if (to.waiting.front().size() <= sizes.payload) {
      form(dest, packet_kind::whole, to.waiting.pop());
      continue;
    }
    if (to.parts_ahead >= most_parts_ahead_) return true;
    ++to.parts_ahead;
    form(dest, packet_kind::part, next_part(to));
    if (to.offset < to.waiting.front().size()) continue;
    to.waiting.pop();
    to.offset = 0;
  }
  return !to.waiting.empty();
}

buffer engine::next_part(peer& to) {
  buffer const& whole = to.waiting.front();
  buffer part = take(sizes.payload);
  std::size_t prefix = 0;
  if (to.offset == 0) {
    std::uint64_t const total = whole.size();
    std::memcpy(part.data(), &total, prefix = size_prefix);
  }
  std::size_t const bytes = std::min(sizes.payload - prefix, whole.size() - to.offset);
  std::memcpy(part.data() + prefix, whole.data() + to.offset, bytes);
  part.set_size(prefix + bytes);
  to.offset += bytes;
  return part;
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
  std::byte const* const data = rooms_[c.slot].data();
  packet_header const h = read_header(data);
  std::size_t const payload = c.bytes - header_bytes;
  if (h.kind > packet_kind::call || (h.kind == packet_kind::call) != (payload == 0)) {
    damaged(c.source, "its header is not possible");
  }
  peer& from = peers_[c.source];
  if (h.kind == packet_kind::call) {
    ++from.calls;
    return vacant_.push_back(c.slot);
  }

  ++received_;
  std::uint32_t const ahead = h.sequence - from.expected;
  if (ahead > UINT32_MAX / 2) damaged(c.source, "it came twice");
  if (ahead != 0) {
    early_packet early{h.kind, detach(c.slot, payload)};
    if (!early_.emplace(early_key(c.source, h.sequence), std::move(early)).second) damaged(c.source, "it came twice");
    ++from.early;
    return;
  }
  if (h.kind == packet_kind::whole && from.assembly_bytes == 0) [[likely]] {
    ++from.expected;
    ready_.push({c.source, c.slot, data, payload, {}});
  } else {
    take_in_order(c.source, h.kind, detach(c.slot, payload));
  }
  if (from.early != 0) take_early(c.source);
}

void engine::take_early(std::uint32_t source) {
  peer& from = peers_[source];
  while (from.early != 0) {
    auto const next = early_.find(early_key(source, from.expected));
    if (next == early_.end()) break;
    early_packet p = std::move(next->second);
    early_.erase(next);
    --from.early;
    take_in_order(source, p.kind, std::move(p.bytes));
  }
}

void engine::take_in_order(std::uint32_t source, packet_kind kind, buffer&& bytes) {
  peer& from = peers_[source];
  ++from.expected;
  if (kind == packet_kind::part) return add_part(source, {bytes.data(), bytes.size()});
  if (from.assembly_bytes != 0) damaged(source, "a part is missing before it");
  add_ready(source, std::move(bytes));
}

void engine::add_part(std::uint32_t source, std::span<std::byte const> part) {
  ++parts_;
  peer& from = peers_[source];
  if (from.assembly_bytes == 0) {
    std::uint64_t total = 0;
    if (part.size() < size_prefix) damaged(source, "the size of a cut packet is missing");
    std::memcpy(&total, part.data(), size_prefix);
    if (total <= sizes.payload) damaged(source, "the size of a cut packet is not possible");
    part = part.subspan(size_prefix);
    from.assembly_bytes = total;
  }
  buffer& whole = from.assembly;
  if (part.size() > from.assembly_bytes - whole.size()) damaged(source, "a part is too long");
  make_room(from, part.size());
  std::memcpy(whole.data() + whole.size(), part.data(), part.size());
  whole.set_size(whole.size() + part.size());
  if (whole.size() < from.assembly_bytes) return;
  from.assembly_bytes = 0;
  add_ready(source, std::move(whole));
}

/// For the next part. A stated size alone takes little memory, whatever it is: beyond that, as much as has come.
void engine::make_room(peer& from, std::size_t more) {
  constexpr std::size_t taken_at_once = std::size_t{64} << 20;
  buffer& whole = from.assembly;
  std::size_t const needed = whole.size() + more;
  if (whole && needed <= whole.capacity()) return;
  buffer larger = take(std::min(from.assembly_bytes, std::max(taken_at_once, 2 * needed)));
  if (whole) std::memcpy(larger.data(), whole.data(), whole.size());
  larger.set_size(whole.size());
  whole.swap(larger);
}

void engine::add_ready(std::uint32_t source, buffer&& bytes) {
  incoming& in = ready_.add();
  in = {source, incoming::no_slot, bytes.data(), bytes.size(), std::move(bytes)};
}

/// What is in a room, which is vacant then: the room itself, or where it holds little, a copy.
buffer engine::detach(std::uint32_t slot, std::size_t payload) {
  vacant_.push_back(slot);
  buffer bytes;
  if (payload > sizes.copied()) {
    bytes.swap(rooms_[slot]);
  } else {
    bytes = take(payload);
    std::memcpy(bytes.data(), rooms_[slot].data(), payload);
  }
  bytes.set_size(payload);
  return bytes;
}

buffer engine::keep(incoming& packet) {
  if (packet.slot == incoming::no_slot) return std::move(packet.block);
  vacant_.push_back(std::exchange(packet.slot, incoming::no_slot));
  return std::move(rooms_[vacant_.back()]);
}

void engine::pop() {
  incoming& gone = ready_.front();
  if (gone.slot != incoming::no_slot) vacant_.push_back(gone.slot);
  gone.block = {};
  ready_.drop();
}

}  // namespace sheaf::net
