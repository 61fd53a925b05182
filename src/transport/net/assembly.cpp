// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/assembly.hpp"

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

}  // namespace sheaf::net
