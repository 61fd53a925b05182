// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "sheaf/transport/buffer.hpp"

namespace sheaf::net {

/// Blocks for sending and receiving, recycled by size. In front of each block's data are `headroom` bytes that belong
/// to the transport, so that a packet's header and the entry behind it are one piece of memory.
class block_pool final : public block_home {
 public:
  static constexpr std::size_t headroom = 64;  ///< one cache line; so the data is aligned to a cache line too

  /// Blocks of up to `largest` bytes are kept for reuse, at most `kept_limit` bytes in all.
  explicit block_pool(std::size_t largest, std::size_t kept_limit = std::size_t{64} << 20) noexcept
      : largest_(largest), kept_limit_(kept_limit) {}
  block_pool(block_pool const&) = delete;
  block_pool& operator=(block_pool const&) = delete;
  ~block_pool();

  /// A block of at least `bytes` > 0; of exactly `largest` where the next power of two would be more.
  buffer take(std::size_t bytes) {
    if (bytes > largest_) return allocate(bytes);
    std::size_t const capacity = std::min(std::bit_ceil(std::max(bytes, smallest)), largest_);
    free_block*& list = free_[size_index(capacity)];
    if (list == nullptr) return allocate(capacity);
    auto* const start = reinterpret_cast<std::byte*>(std::exchange(list, list->next));
    kept_ -= capacity;
    return {this, start + headroom, capacity};
  }

  void give_back(std::byte* data, std::size_t capacity) noexcept override;

 private:
  struct free_block {
    free_block* next;
  };
  static constexpr std::size_t sizes = 64;
  static constexpr std::size_t smallest = 64;
  static std::size_t size_index(std::size_t capacity) noexcept {
    return static_cast<std::size_t>(std::bit_width(capacity - 1));
  }
  buffer allocate(std::size_t capacity);

  std::size_t const largest_;
  std::size_t const kept_limit_;
  std::size_t kept_ = 0;
  free_block* free_[sizes] = {};
};

}  // namespace sheaf::net
