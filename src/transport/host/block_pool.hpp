// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <new>
#include <span>
#include <vector>

#include "sheaf/transport/buffer.hpp"
#include "transport/host/sanitizers.hpp"

namespace sheaf::host {

/// Things that any thread gives back to one that takes all at once. `T` has a member `T* next`.
template <class T>
class return_stack {
 public:
  void push(T* item) noexcept {
    item->next = top_.load(std::memory_order_relaxed);
    while (!top_.compare_exchange_weak(item->next, item, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] T* take_all() noexcept {
    return top_.load(std::memory_order_relaxed) == nullptr ? nullptr
                                                           : top_.exchange(nullptr, std::memory_order_acquire);
  }

 private:
  std::atomic<T*> top_{nullptr};
};

/// Stands at the beginning of a block on its way back.
struct returned_block {
  returned_block* next;
  std::size_t capacity;
};

/// Where blocks go back to, from any thread. `head`: how far in front of what `to` is given the pieces begin.
class way_back final : public block_home {
 public:
  explicit way_back(return_stack<returned_block>& to, std::size_t head = 0) : to_(to), head_(head) {}
  void give_back(std::byte* data, std::size_t capacity) noexcept override {
    to_.push(::new (data + head_) returned_block{nullptr, capacity - head_});
  }

 private:
  return_stack<returned_block>& to_;
  std::size_t const head_;
};

/// How a pool keeps blocks.
struct block_layout {
  std::size_t smallest = ~std::size_t{0};  ///< powers of two from here to the largest, and that; else only that
  std::size_t front = 0;                   ///< room in front of what a block holds, for its user
};

/// Blocks that are not in use, kept by size, last used first. What they hold is aligned to a cache line unless there
/// is room in front of it. AddressSanitizer forbids their bytes, so that a late reader is found.
class block_pool {
 public:
  /// The blocks lie in `from`, which outlives it. Blocks of more than `largest`, rounded up to lines, are not kept.
  block_pool(std::size_t largest, host_memory& from, block_layout how = {})
      : from_(from), how_(how), largest_{(largest + host_memory::line - 1) / host_memory::line * host_memory::line} {
    for (std::size_t size = how.smallest; size < largest_.size; size *= 2) smaller_.push_back({size});
  }
  block_pool& operator=(block_pool&&) = delete;
  ~block_pool() {
    release(largest_);
    for (same_size& each : smaller_) release(each);
  }

  [[nodiscard]] std::size_t largest() const noexcept { return largest_.size; }
  /// Whether none of `largest` bytes is kept.
  [[nodiscard]] bool empty() const noexcept { return largest_.free.empty(); }

  /// A block that holds at least `bytes` > 0: a kept one, or a new one.
  std::span<std::byte> take(std::size_t bytes) {
    same_size* const list = list_for(bytes);
    if (list == nullptr) return {from_.take(how_.front + bytes) + how_.front, bytes};
    std::vector<std::byte*>& free = list->free;
    if (free.empty()) {
      if (free.capacity() == list->made) free.reserve(2 * list->made + 8);  // so that put never allocates
      free.push_back(from_.take(how_.front + list->size));
      ++list->made;
    }
    std::byte* const block = free.back();
    free.pop_back();
    detail::permit(block, how_.front + list->size);
    return {block + how_.front, list->size};
  }

  /// The start and size of what `take` gave.
  void put(std::byte* data, std::size_t bytes) noexcept {
    if (same_size* const list = list_for(bytes)) {
      list->free.push_back(data - how_.front);
      detail::forbid(list->free.back(), how_.front + list->size);
    } else {
      from_.give_back(data - how_.front, how_.front + bytes);
    }
  }

 private:
  struct same_size {
    std::size_t size;
    std::size_t made = 0;
    std::vector<std::byte*> free = {};
  };

  /// Null: blocks of that size are not kept.
  same_size* list_for(std::size_t bytes) noexcept {
    if (bytes > largest_.size) return nullptr;
    if (smaller_.empty() || bytes > smaller_.back().size) return &largest_;
    std::size_t const size = std::bit_ceil(std::max(bytes, how_.smallest));
    return &smaller_[static_cast<std::size_t>(std::bit_width(size) - std::bit_width(how_.smallest))];
  }
  void release(same_size& list) noexcept {
    for (std::byte* const block : list.free) {
      detail::permit(block, how_.front + list.size);
      from_.give_back(block, how_.front + list.size);
    }
  }

  host_memory& from_;
  block_layout const how_;
  same_size largest_;
  std::vector<same_size> smaller_;  ///< powers of two from the smallest on
};

/// A pool for one thread at a time, whose blocks any thread gives back.
class open_pool {
 public:
  /// As block_pool.
  open_pool(std::size_t largest, host_memory& from, block_layout how) : pool_(largest, from, how) {}
  ~open_pool() { reclaim(); }

  /// An empty buffer of at least `bytes` > 0.
  buffer take(std::size_t bytes) {
    reclaim();
    std::span<std::byte> const block = pool_.take(bytes);
    return {&home_, block.data(), block.size()};
  }
  /// Where the blocks go back to.
  [[nodiscard]] block_home& home() noexcept { return home_; }
  [[nodiscard]] return_stack<returned_block>& returned() noexcept { return returned_; }

 private:
  void reclaim() noexcept {
    for (returned_block* block = returned_.take_all(); block != nullptr;) {
      returned_block* const next = block->next;
      pool_.put(reinterpret_cast<std::byte*>(block), block->capacity);
      block = next;
    }
  }

  block_pool pool_;
  return_stack<returned_block> returned_;
  way_back home_{returned_};
};

}  // namespace sheaf::host
