// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "functions.hpp"

#include <algorithm>

namespace sheaf_dmcs {

void function_table::insert(slot const& one) {
  std::size_t i = place(one.f);
  while (slots_[i].f != nullptr) i = (i + 1) & mask_;
  slots_[i] = one;
}

/// The number of slots is a power of 2, at least twice that of functions; the newest array has half as many places.
std::uint32_t function_table::add(function f, std::uint32_t takes) {
  if (std::uint32_t const known = number_of(f, takes); known != none) return known;
  std::uint32_t const number = size();
  slot* all = all_.load(std::memory_order_relaxed);
  if (arrays_.empty() || 2 * std::size_t{number} >= slots_.size()) {
    if (!arrays_.empty()) {
      slots_.assign(2 * slots_.size(), slot{});
      mask_ = slots_.size() - 1;
    }
    arrays_.push_back(std::make_unique<slot[]>(slots_.size() / 2));
    std::copy_n(all, number, arrays_.back().get());
    all = arrays_.back().get();
    for (std::uint32_t i = 0; i < number; ++i) insert(all[i]);
    all_.store(all, std::memory_order_release);
  }
  all[number] = {f, number, takes};
  insert(all[number]);
  size_.store(number + 1, std::memory_order_release);
  return number;
}

}  // namespace sheaf_dmcs
