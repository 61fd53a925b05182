// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/paired_rows.hpp"
#include "sheaf/memory/detail/elements.hpp"
#include "sheaf/transport/buffer.hpp"

namespace sheaf::detail {

/// to = from, for all rows. Rows of small sizes are copied by code of that size.
void copy_rows(paired_rows::block const& of) noexcept;

/// What a guard's taker does while another one has it; `round` counts from 0 for each guard. May throw: nothing that
/// this guard protects has been changed then.
struct guard_wait {
  void (*rest)(void* context, std::uint32_t round);
  void* context;
};

/// to += scale * from, for all rows. `scale` points to an element; null: 1. Atomic for each element: integers by the
/// processor, the others inside the guard of the 16 KiB in which they begin; it has one guard at a time.
void add_rows(paired_rows::block const& of, element_kind kind, void const* scale, host_memory const& memory,
              guard_wait const& wait);

/// Changes the word at `at`, of 4 or 8 bytes and aligned to them, and returns the old one.
std::uint64_t change_word(std::byte* at, std::size_t bytes, change_kind how, std::uint64_t operand,
                          std::uint64_t expected) noexcept;

}  // namespace sheaf::detail
