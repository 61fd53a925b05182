// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/packer.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace sheaf::net {

packer::packer(gateway& gate, std::uint32_t lane, std::size_t share, endpoint_counts& counts)
    : gate_(gate),
      lane_(lane),
      whole_(gate.sizes().payload - slice::header_bytes),
      pool_(whole_, gate.memory(), {.smallest = 64, .front = front}),
      share_(share),
      counts_(counts),
      packs_(gate.processes()) {}

packer::~packer() {
  packs_.clear();
  reclaim();
}

/// Takes back the blocks of packets that have been sent.
void packer::reclaim() {
  for (host::returned_block* block = returned_.take_all(); block != nullptr;) {
    host::returned_block* const next = block->next;
    pool_.put(reinterpret_cast<std::byte*>(block), block->capacity);
    block = next;
  }
}

std::span<std::byte> packer::take(std::size_t bytes) {
  reclaim();
  return pool_.take(bytes);
}

buffer packer::acquire(std::size_t bytes) {
  std::span<std::byte> const fresh = take(bytes);
  return {&entries_, fresh.data(), fresh.size()};
}

/// An empty packet. The oldest others leave where it would pass the share.
void packer::begin(std::uint32_t process) {
  while (gathered_ + whole_ > share_ && !open_.empty()) {
    std::uint32_t const oldest = open_.pop();
    packs_[oldest].listed = false;
    counts_.packets_for_room += empty(oldest) ? 0 : 1;
    ship(oldest);
  }
  pack& p = packs_[process];
  std::span<std::byte> const fresh = take(whole_);
  std::size_t const capacity = fresh.size() + slice::header_bytes;
  p.block = buffer(&packets_, fresh.data() - slice::header_bytes, capacity);
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

}  // namespace sheaf::net
