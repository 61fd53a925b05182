// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <vector>

#include "transport/host/memory.hpp"

namespace sheaf::host {

/// One location's blocks that are not in use: those of the standard size are kept, last used first; others are freed.
/// All are aligned to a cache line.
class block_pool {
 public:
  /// The blocks lie in `from`, which outlives it.
  block_pool(std::size_t standard_bytes, memory& from)
      : from_(from), standard_((standard_bytes + memory::line - 1) / memory::line * memory::line) {}
  block_pool(block_pool const&) = delete;
  block_pool& operator=(block_pool const&) = delete;
  ~block_pool();

  [[nodiscard]] std::size_t standard() const noexcept { return standard_; }
  [[nodiscard]] bool empty() const noexcept { return free_.empty(); }

  /// A kept block, or a new one. The block's size is `standard()`.
  std::byte* take();
  /// A new block of exactly `bytes`, which is more than `standard()`.
  std::byte* make(std::size_t bytes) { return from_.take(bytes); }
  void put(std::byte* block, std::size_t bytes) noexcept;

 private:
  memory& from_;
  std::size_t const standard_;
  std::size_t made_ = 0;
  std::vector<std::byte*> free_;
};

}  // namespace sheaf::host
