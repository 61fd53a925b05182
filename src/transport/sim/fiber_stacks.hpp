// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sheaf::detail {

/// Stacks of equal size in one mapping, a page without access below each: running off a stack is a fault, never a
/// neighbour's data. The system grants so many such pages as vm.max_map_count says, of which each takes two; where
/// there are more stacks, the pages have access, and one that was touched ends the process at the end of the run. Pages
/// are committed when first touched and stay so until destruction.
class fiber_stacks {
 public:
  /// Throws option_error where the machine cannot map that many.
  fiber_stacks(std::uint32_t count, std::size_t stack_bytes);
  fiber_stacks(fiber_stacks const&) = delete;
  fiber_stacks& operator=(fiber_stacks const&) = delete;
  ~fiber_stacks();

  /// The `index`-th stack, lowest address first; without its guard. For a new fiber: the last one on it has ended.
  [[nodiscard]] std::span<std::byte> stack(std::uint32_t index) const noexcept;

 private:
  bool protect_guards() const;
  /// Ends the process where a stack was run off.
  void check_guards() const noexcept;

  std::uint32_t count_ = 0;
  bool guarded_ = false;

  std::size_t guard_bytes_ = 0;
  std::size_t stride_ = 0;
  std::size_t total_ = 0;
  std::byte* base_ = nullptr;
};

}  // namespace sheaf::detail
