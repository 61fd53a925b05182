// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <new>

namespace sheaf::detail {

/// Recycles blocks of one size for one location: for the states of futures, of which many live at a time. Not for other
/// threads. Blocks come in slabs that live as long as the pool.
class small_blocks {
 public:
  static constexpr std::size_t block_bytes = 128;

  small_blocks() = default;
  ~small_blocks() {
    while (slabs_ != nullptr) {
      void* const next = *static_cast<void**>(slabs_);
      ::operator delete(slabs_);
      slabs_ = next;
    }
  }
  small_blocks(small_blocks const&) = delete;
  small_blocks& operator=(small_blocks const&) = delete;

  void* take() {
    if (free_ == nullptr) [[unlikely]]
      add_slab();
    void* const block = free_;
    free_ = *static_cast<void**>(block);
    return block;
  }
  void give_back(void* block) noexcept {
    *static_cast<void**>(block) = free_;
    free_ = block;
  }

 private:
  static constexpr std::size_t blocks_per_slab = 63;

  void add_slab() {
    auto* const slab = static_cast<std::byte*>(::operator new((blocks_per_slab + 1) * block_bytes));
    *reinterpret_cast<void**>(slab) = slabs_;
    slabs_ = slab;
    for (std::size_t i = blocks_per_slab; i > 0; --i) give_back(slab + i * block_bytes);
  }

  void* free_ = nullptr;
  void* slabs_ = nullptr;
};

}  // namespace sheaf::detail
