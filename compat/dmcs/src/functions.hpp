// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "records.hpp"

#pragma GCC visibility push(hidden)
namespace sheaf_dmcs {

/// What a handler takes: 0 to 4 arguments, or data.
inline constexpr std::uint32_t takes_data = 5;

/// The registered functions, numbered in the order of registration, which is that of all processes. `at` may be called
/// while another thread adds: an array that is too small stays until the end, beside its copy.
class function_table {
 public:
  static constexpr std::uint32_t none = ~0U;

  /// A function that is registered already keeps its number.
  std::uint32_t add(function f, std::uint32_t takes);
  /// none: it is not registered with these arguments.
  [[nodiscard]] std::uint32_t number_of(function f, std::uint32_t takes) const noexcept {
    for (std::size_t i = place(f);; i = (i + 1) & mask_) {
      slot const& at = slots_[i];
      if (at.f == f && at.takes == takes) return at.number;
      if (at.f == nullptr) return none;
    }
  }
  /// Null: there is no such function with these arguments.
  [[nodiscard]] function at(std::uint32_t number, std::uint32_t takes) const noexcept {
    if (number >= size()) return nullptr;
    slot const& one = all_.load(std::memory_order_acquire)[number];
    return one.takes == takes ? one.f : nullptr;
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_.load(std::memory_order_acquire); }

 private:
  struct slot {
    function f = nullptr;
    std::uint32_t number = none;
    std::uint32_t takes = 0;
  };

  [[nodiscard]] std::size_t place(function f) const noexcept {
    auto const bits = reinterpret_cast<std::uintptr_t>(f);
    return (bits >> 4U ^ bits >> 12U) & mask_;
  }
  void insert(slot const& one);

  std::atomic<slot*> all_{nullptr};  // by number
  std::atomic<std::uint32_t> size_{0};
  std::vector<std::unique_ptr<slot[]>> arrays_;
  std::size_t mask_ = 63;
  std::vector<slot> slots_ = std::vector<slot>(mask_ + 1);  // hashed; at most half are used
};

}  // namespace sheaf_dmcs
#pragma GCC visibility pop
