// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>

namespace sheaf::detail {

/// Blocks of bytes, kept for reuse by powers of two. The bytes of a block that is not in use are forbidden to
/// AddressSanitizer, so a late reader is found.
class block_pool {
 public:
  block_pool() = default;
  block_pool(block_pool const&) = delete;
  block_pool& operator=(block_pool const&) = delete;
  ~block_pool();

  /// At least `bytes`, aligned for any type; to be given back with the same number.
  std::byte* take(std::size_t bytes);
  void give(std::byte* block, std::size_t bytes) noexcept;

  /// All that was ever allocated: the most that was in use at once, rounded up to powers of two by block.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct free_block {
    free_block* next;
  };
  std::array<free_block*, 64> free_{};
  std::size_t bytes_ = 0;
};

}  // namespace sheaf::detail
