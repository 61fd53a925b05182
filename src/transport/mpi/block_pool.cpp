// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/block_pool.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace sheaf::mpi {
namespace {

constexpr std::size_t smallest = 64;
constexpr std::align_val_t alignment{64};

std::size_t size_index(std::size_t capacity) noexcept { return static_cast<std::size_t>(std::bit_width(capacity - 1)); }

void release(void* start) noexcept { ::operator delete(start, alignment); }

}  // namespace

block_pool::~block_pool() {
  for (free_block*& list : free_) {
    while (list != nullptr) release(std::exchange(list, list->next));
  }
}

buffer block_pool::take(std::size_t bytes) {
  std::size_t capacity = bytes;
  if (bytes <= largest_) {
    capacity = std::min(std::bit_ceil(std::max(bytes, smallest)), largest_);
    free_block*& list = free_[size_index(capacity)];
    if (list != nullptr) {
      auto* const start = reinterpret_cast<std::byte*>(std::exchange(list, list->next));
      kept_ -= capacity;
      return {this, start + headroom, capacity};
    }
  }
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

}  // namespace sheaf::mpi
