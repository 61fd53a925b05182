// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/block_pool.hpp"

namespace sheaf::host {

block_pool::~block_pool() {
  for (std::byte* block : free_) from_.give_back(block, standard_);
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
    from_.give_back(block, bytes);
  }
}

}  // namespace sheaf::host
