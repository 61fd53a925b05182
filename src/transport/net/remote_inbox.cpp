// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/remote_inbox.hpp"

#include <algorithm>
#include <cstring>

#include "sheaf/transport/host_memory.hpp"
#include "transport/net/packet.hpp"

namespace sheaf::net {
namespace {

class heap_home final : public block_home {
 public:
  void give_back(std::byte* data, std::size_t capacity) noexcept override { heap.give_back(data, capacity); }

  heap_memory heap;
};
constinit heap_home home;

}  // namespace

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
  buffer larger(&home, home.heap.take(room), room);
  if (bytes_) std::memcpy(larger.data(), bytes_.data(), bytes_.size());
  larger.set_size(bytes_.size());
  bytes_.swap(larger);
}

void remote_inbox::add(parcel const& p) {
  std::uint32_t const source = number(p.source);
  auto const kind = static_cast<std::size_t>(p.kind);
  if (origins_[source] == nullptr) origins_[source] = std::make_unique<origin>();
  auto& ready = origins_[source]->ready[kind];
  if (ready.empty()) turns_[kind].push(source);
  ready.push(p);
}

remote_inbox::found remote_inbox::deliver(traffic kind, arrival& out) {
  auto const k = static_cast<std::size_t>(kind);
  std::uint32_t const source = turns_[k].pop();
  origin& from = *origins_[source];
  parcel const& p = from.ready[k].front();
  assembly& whole = from.whole[k];
  if (p.is_part || whole.begun()) {
    bool const good = p.is_part && whole.add({p.begin(), p.bytes}, most_);
    out = {location_id{source}, kind, whole.bytes()};
    if (!good) return found::damaged;
    return whole.complete() ? found::entry : found::part;
  }
  std::byte const* data = p.data;
  if (p.packet == nullptr) data = static_cast<std::byte const*>(std::memcpy(from.room[k], p.small, p.bytes));
  out = {location_id{source}, kind, {data, p.bytes}};
  return found::entry;
}

shared_packet* remote_inbox::consumed(std::uint32_t source, traffic kind, buffer& whole) {
  auto const k = static_cast<std::size_t>(kind);
  origin& from = *origins_[source];
  shared_packet* const packet = from.ready[k].front().packet;
  from.owed[k].add(from.ready[k].front().counts_window);
  from.ready[k].drop();
  if (from.whole[k].complete()) whole = from.whole[k].take();
  if (!from.ready[k].empty()) turns_[k].push(source);
  return packet;
}

}  // namespace sheaf::net
