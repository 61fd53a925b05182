// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "sheaf/memory/detail/elements.hpp"

namespace sheaf::detail {

template <class T>
std::uint64_t change_of(T& word, change_kind how, T operand, T expected) noexcept {
  std::atomic_ref<T> const at(word);
  switch (how) {
    case change_kind::add:
      return at.fetch_add(operand);
    case change_kind::swap:
      return at.exchange(operand);
    case change_kind::bit_and:
      return at.fetch_and(operand);
    case change_kind::bit_or:
      return at.fetch_or(operand);
    case change_kind::bit_xor:
      return at.fetch_xor(operand);
    case change_kind::load:
      return at.load();
    case change_kind::store:
      at.store(operand);
      return 0;
    case change_kind::swap_if:
      at.compare_exchange_strong(expected, operand);
      return expected;
  }
  return 0;
}

/// Changes the word at `at`, of 4 or 8 bytes and aligned to them, by one instruction of the processor, and returns the
/// old one.
inline std::uint64_t change_word(std::byte* at, std::size_t bytes, change_kind how, std::uint64_t operand,
                                 std::uint64_t expected) noexcept {
  if (bytes == sizeof(std::uint32_t)) {
    return change_of(*reinterpret_cast<std::uint32_t*>(at), how, static_cast<std::uint32_t>(operand),
                     static_cast<std::uint32_t>(expected));
  }
  return change_of(*reinterpret_cast<std::uint64_t*>(at), how, operand, expected);
}

}  // namespace sheaf::detail
