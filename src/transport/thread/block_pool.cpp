// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/thread/block_pool.hpp"

#include <new>

namespace sheaf::threads {

block_pool::~block_pool() {
  for (std::byte* block : free_) ::operator delete (block, std::align_val_t{line});
}

std::byte* block_pool::make(std::size_t bytes) {
  return static_cast<std::byte*>(::operator new (bytes, std::align_val_t{line}));
}

std::byte* block_pool::take() {
  if (free_.empty()) {
    if (free_.capacity() == made_) free_.reserve(2 * made_ + 8);  // so that put never allocates
    std::byte* const block = make(standard_);
    ++made_;
    return block;
  }
  std::byte* const block = free_.back();
  free_.pop_back();
  return block;
}

void block_pool::put(std::byte* block, std::size_t bytes) noexcept {
  if (bytes == standard_) {
    free_.push_back(block);
  } else {
    ::operator delete (block, std::align_val_t{line});
  }
}

}  // namespace sheaf::threads
