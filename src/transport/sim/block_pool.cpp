// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/block_pool.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "transport/sim/sanitizers.hpp"

namespace sheaf::detail {
namespace {

// The power of two that a block has room for.
std::size_t size_class(std::size_t bytes) noexcept {
  return static_cast<std::size_t>(std::bit_width(std::max<std::size_t>(bytes, 64) - 1));
}

}  // namespace

block_pool::~block_pool() {
  for (std::size_t i = 0; i < free_.size(); ++i) {
    while (free_[i] != nullptr) {
      permit(free_[i], std::size_t{1} << i);
      ::operator delete(std::exchange(free_[i], free_[i]->next));
    }
  }
}

std::byte* block_pool::take(std::size_t bytes) {
  std::size_t const c = size_class(bytes);
  if (free_[c] == nullptr) {
    auto* const fresh = static_cast<std::byte*>(::operator new (std::size_t{1} << c));
    bytes_ += std::size_t{1} << c;
    forbid(fresh + bytes, (std::size_t{1} << c) - bytes);
    return fresh;
  }
  free_block* const found = free_[c];
  permit(found, std::max(bytes, sizeof(free_block)));
  free_[c] = found->next;
  forbid(reinterpret_cast<std::byte*>(found) + bytes, (std::size_t{1} << c) - bytes);
  return reinterpret_cast<std::byte*>(found);
}

void block_pool::give(std::byte* block, std::size_t bytes) noexcept {
  std::size_t const c = size_class(bytes);
  permit(block, sizeof(free_block));
  free_[c] = new (block) free_block{free_[c]};
  forbid(block, std::size_t{1} << c);
}

}  // namespace sheaf::detail
