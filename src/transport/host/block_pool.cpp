// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/block_pool.hpp"

#include <algorithm>
#include <bit>

#include "transport/host/sanitizers.hpp"

namespace sheaf::host {

block_pool::block_pool(std::size_t largest, host_memory& from, layout how)
    : from_(from), how_(how), largest_{(largest + host_memory::line - 1) / host_memory::line * host_memory::line} {
  for (std::size_t size = how.smallest; size < largest_.size; size *= 2) smaller_.push_back({size});
}

block_pool::~block_pool() {
  release(largest_);
  for (same_size& each : smaller_) release(each);
}

void block_pool::release(same_size& list) noexcept {
  for (std::byte* const block : list.free) {
    detail::permit(block, how_.front + list.size);
    from_.give_back(block, how_.front + list.size);
  }
}

/// Null: blocks of that size are not kept.
block_pool::same_size* block_pool::list_for(std::size_t bytes) noexcept {
  if (bytes > largest_.size) return nullptr;
  if (smaller_.empty() || bytes > smaller_.back().size) return &largest_;
  std::size_t const size = std::bit_ceil(std::max(bytes, how_.smallest));
  return &smaller_[static_cast<std::size_t>(std::bit_width(size) - std::bit_width(how_.smallest))];
}

std::span<std::byte> block_pool::take(std::size_t bytes) {
  same_size* const list = list_for(bytes);
  if (list == nullptr) return {from_.take(how_.front + bytes) + how_.front, bytes};
  std::vector<std::byte*>& free = list->free;
  if (free.empty()) {
    if (free.capacity() == list->made) free.reserve(2 * list->made + 8);  // so that put never allocates
    std::byte* const block = from_.take(how_.front + list->size);
    ++list->made;
    return {block + how_.front, list->size};
  }
  std::byte* const block = free.back();
  free.pop_back();
  detail::permit(block, how_.front + list->size);
  return {block + how_.front, list->size};
}

void block_pool::put(std::byte* data, std::size_t bytes) noexcept {
  if (same_size* const list = list_for(bytes)) {
    list->free.push_back(data - how_.front);
    detail::forbid(list->free.back(), how_.front + list->size);
  } else {
    from_.give_back(data - how_.front, how_.front + bytes);
  }
}

}  // namespace sheaf::host
