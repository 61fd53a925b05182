// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/block_pool.hpp"

#include <new>

namespace sheaf::net {
namespace {

constexpr std::align_val_t alignment{64};

void release(void* start) noexcept { ::operator delete(start, alignment); }

}  // namespace

block_pool::~block_pool() {
  for (free_block*& list : free_) {
    while (list != nullptr) release(std::exchange(list, list->next));
  }
}

buffer block_pool::allocate(std::size_t capacity) {
  auto* const start = static_cast<std::byte*>(::operator new(headroom + capacity, alignment));
  return {this, start + headroom, capacity};
}

void block_pool::give_back(std::byte* data, std::size_t capacity) noexcept {
  std::byte* const start = data - headroom;
  if (capacity > largest_ || kept_ + capacity > kept_limit_) return release(start);
  free_block*& list = free_[size_index(capacity)];
  list = new (start) free_block{list};
  kept_ += capacity;
}

}  // namespace sheaf::net
