// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/slices.hpp"

#include <algorithm>
#include <cstring>

namespace sheaf::net {

packer::packer(gateway& gate, std::uint32_t lane, std::size_t share, endpoint_counts& counts)
    : gate_(gate),
      lane_(lane),
      whole_(gate.sizes().payload - slice::header_bytes),
      pool_(whole_, gate.memory(), {.smallest = 64, .front = front}),
      share_(share),
      counts_(counts),
      packs_(gate.processes()) {}

/// An empty packet. The oldest others leave where it would pass the share.
void packer::begin(std::uint32_t process) {
  while (gathered_ + whole_ > share_ && !open_.empty()) {
    std::uint32_t const oldest = open_.pop();
    packs_[oldest].listed = false;
    counts_.packets_for_room += empty(oldest) ? 0 : 1;
    ship(oldest);
  }
  pack& p = packs_[process];
  buffer fresh = pool_.take(whole_);
  std::size_t const capacity = fresh.capacity() + slice::header_bytes;
  p.block = buffer(&packets_, fresh.release() - slice::header_bytes, capacity);
  if (!std::exchange(p.listed, true)) open_.push(process);
  gathered_ += capacity;
  counts_.packets_high = std::max<std::uint64_t>(counts_.packets_high, gathered_);
}

/// Where the bytes of a slice go, whose header is written.
std::byte* packer::room(std::uint32_t process, slice s) {
  pack& p = packs_[process];
  std::size_t const bytes = slice::header_bytes + s.bytes;
  if (p.block && p.block.size() + bytes > gate_.sizes().payload) ship(process);
  if (!p.block) begin(process);
  std::byte* const to = p.block.data() + p.block.size();
  s.write(to);
  p.block.set_size(p.block.size() + bytes);
  return to + slice::header_bytes;
}

void packer::add(std::uint32_t process, slice s, std::span<std::byte const> bytes) {
  std::memcpy(room(process, s), bytes.data(), bytes.size());
}

void packer::add(std::uint32_t process, slice s, buffer&& bytes) {
  if (!goes_alone(s.bytes)) {
    add(process, s, {bytes.data(), bytes.size()});
    bytes = {};
    return;
  }
  ship(process);
  std::size_t const capacity = bytes.capacity(), size = bytes.size();
  std::byte* const packet = bytes.release() - slice::header_bytes;
  s.write(packet);
  buffer whole(&packets_, packet, capacity + slice::header_bytes);
  whole.set_size(slice::header_bytes + size);
  gate_.send(lane_, process, std::move(whole));
}

void packer::ship(std::uint32_t process) {
  buffer& packet = packs_[process].block;
  if (!packet) return;
  gathered_ -= packet.capacity();
  gate_.send(lane_, process, std::move(packet));
}

void packer::ship_all() {
  while (!open_.empty()) {
    std::uint32_t const oldest = open_.pop();
    packs_[oldest].listed = false;
    ship(oldest);
  }
}

bool assembly::add(std::span<std::byte const> part, std::size_t most) {
  if (!begun()) {
    std::uint64_t total = 0;
    if (part.size() < slice::size_prefix) return false;
    std::memcpy(&total, part.data(), slice::size_prefix);
    if (total <= most) return false;
    part = part.subspan(slice::size_prefix);
    total_ = total;
  }
  if (part.size() > total_ - bytes_.size()) return false;
  make_room(part.size());
  std::memcpy(bytes_.data() + bytes_.size(), part.data(), part.size());
  bytes_.set_size(bytes_.size() + part.size());
  return true;
}

void assembly::make_room(std::size_t more) {
  constexpr std::size_t taken_at_once = std::size_t{64} << 20;
  std::size_t const needed = bytes_.size() + more;
  if (bytes_ && needed <= bytes_.capacity()) return;
  std::size_t const room = std::min(total_, std::max(taken_at_once, 2 * needed));
  static constinit heap_memory heap;
  buffer larger(&heap, heap.take(room), room);
  if (bytes_) std::memcpy(larger.data(), bytes_.data(), bytes_.size());
  larger.set_size(bytes_.size());
  bytes_.swap(larger);
}

void remote_inbox::add(parcel&& p) {
  std::uint32_t const source = number(p.source);
  auto const kind = static_cast<traffic>(p.kind);
  if (origins_[source] == nullptr) origins_[source] = std::make_unique<origin[]>(traffic_classes);
  auto& ready = at(source, kind).ready;
  if (ready.empty()) turns_[static_cast<std::size_t>(kind)].push(source);
  ready.push(std::move(p));
}

remote_inbox::found remote_inbox::deliver(traffic kind, arrival& out) {
  std::uint32_t const source = turns_[static_cast<std::size_t>(kind)].pop();
  origin& from = at(source, kind);
  parcel const& p = from.ready.front();
  if (p.is_part || from.whole.begun()) {
    bool const good = p.is_part && from.whole.add({p.begin(), p.bytes}, most_);
    out = {location_id{source}, kind, from.whole.bytes()};
    if (!good) return found::damaged;
    return from.whole.complete() ? found::entry : found::part;
  }
  std::byte const* data = p.data;
  if (!p.block) data = static_cast<std::byte const*>(std::memcpy(from.room, p.small, p.bytes));
  out = {location_id{source}, kind, {data, p.bytes}};
  return found::entry;
}

buffer remote_inbox::consumed(std::uint32_t source, traffic kind) {
  origin& from = at(source, kind);
  parcel gone = from.ready.pop();
  from.owed.add(gone.counts_window);
  if (!from.ready.empty()) turns_[static_cast<std::size_t>(kind)].push(source);
  return from.whole.complete() ? from.whole.take() : std::move(gone.block);
}

}  // namespace sheaf::net
