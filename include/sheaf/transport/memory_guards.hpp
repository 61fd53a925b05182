// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sheaf {

/// Who has it may change the floating-point numbers that lie in its part of memory by what they were. 0: nobody has it.
struct alignas(64) memory_guard {
  std::atomic<std::uint32_t> taken{0};
};

/// The guards of a process's memory: one for each 16 KiB, in turn.
struct memory_guards {
  static constexpr std::size_t count = 128;
  static constexpr std::size_t bytes_of_one = std::size_t{16} << 10;

  [[nodiscard]] memory_guard& of(std::uintptr_t address) noexcept { return all[address / bytes_of_one % count]; }

  memory_guard all[count];
};

}  // namespace sheaf
