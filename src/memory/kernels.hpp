// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/paired_rows.hpp"
#include "sheaf/memory/detail/elements.hpp"
#include "sheaf/memory/detail/words.hpp"
#include "sheaf/transport/buffer.hpp"
#include "sheaf/transport/memory_guards.hpp"

namespace sheaf::detail {

/// to = from, for all rows. Rows of small sizes are copied by code of that size.
void copy_rows(paired_rows::block const& of) noexcept;

/// What a guard's taker does while another one has it; `round` counts from 0 for each guard. May throw: nothing that
/// this guard protects has been changed then.
struct guard_wait {
  void (*rest)(void* context, std::uint32_t round);
  void* context;
};

/// Has one guard at a time. It keeps it over places that lie in the same 16 KiB.
class held_guard {
 public:
  explicit held_guard(guard_wait const& wait) noexcept : wait_(wait) {}
  held_guard& operator=(held_guard&&) = delete;
  ~held_guard() { let_go(); }

  /// Bytes from there on that it guards. All calls are for the guards of one process.
  std::size_t guard(memory_guards& of, std::uintptr_t address) {
    std::uintptr_t const part = address / memory_guards::bytes_of_one;
    if (guard_ == nullptr || part != part_) take(of.of(address), part);
    return (part + 1) * memory_guards::bytes_of_one - address;
  }

 private:
  void take(memory_guard& next, std::uintptr_t part) {
    let_go();
    for (std::uint32_t round = 0; next.taken.exchange(1, std::memory_order_acquire) != 0; ++round) {
      wait_.rest(wait_.context, round);
    }
    guard_ = &next;
    part_ = part;
  }
  void let_go() noexcept {
    if (guard_ != nullptr) guard_->taken.store(0, std::memory_order_release);
    guard_ = nullptr;
  }

  guard_wait const& wait_;
  memory_guard* guard_ = nullptr;
  std::uintptr_t part_ = 0;
};

/// Whether words there are changed by the processor alone: in memory that all who may change them can map. Elsewhere
/// they are changed inside guards, as floating-point numbers are everywhere.
[[nodiscard]] inline bool has_words(host_memory const& memory, std::uintptr_t address) noexcept {
  auto const shared = memory.shared();
  return shared.empty() || address - reinterpret_cast<std::uintptr_t>(shared.data()) < shared.size();
}

/// to += scale * from, for all rows, in memory that this process can load from and store to. `scale` points to an
/// element; null: 1. Atomic for each element: by the processor where it is an aligned integer in memory that has words,
/// else inside the guard of the 16 KiB in which it begins.
void add_rows(paired_rows::block const& of, element_kind kind, void const* scale, host_memory const& memory,
              guard_wait const& wait);

/// The same for one row that nobody else changes now.
void add_guarded_row(std::byte* to, std::byte const* from, std::size_t bytes, element_kind kind, void const* scale);

/// Bytes of the elements that begin in so many bytes.
[[nodiscard]] constexpr std::size_t elements_in(std::size_t bytes, element_kind kind) noexcept {
  std::size_t const one = bytes_of(kind);
  return (bytes + one - 1) / one * one;
}

/// change_word, inside a guard where the processor alone is not enough.
std::uint64_t change_word(std::byte* at, std::size_t bytes, change_kind how, std::uint64_t operand,
                          std::uint64_t expected, host_memory const& memory, guard_wait const& wait);

}  // namespace sheaf::detail
