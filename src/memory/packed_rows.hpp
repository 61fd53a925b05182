// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "memory/kernels.hpp"
#include "memory/paired_rows.hpp"

namespace sheaf::detail {

/// Calls f(first, row, count, step) for the bytes of a part of memory from number `offset` on, `bytes` of them, in
/// their order: `count` rows of `row` bytes, `step` apart.
template <class Byte, class F>
void each_row(basic_strided<Byte> const& of, std::size_t offset, std::size_t bytes, F const& f) {
  std::size_t const levels = of.counts.size();
  std::size_t at[paired_rows::most_levels] = {};
  Byte* place = of.first;
  std::size_t rows = offset / of.row, skipped = offset % of.row;
  for (std::size_t i = 0; i < levels; ++i) {
    at[i] = rows % of.counts[i];
    rows /= of.counts[i];
    place += static_cast<std::ptrdiff_t>(at[i]) * of.steps[i];
  }
  while (bytes > 0) {
    bool const whole = skipped == 0 && bytes >= of.row;
    std::size_t const row = whole ? of.row : std::min(of.row - skipped, bytes);
    std::size_t const count = whole && levels > 0 ? std::min(of.counts[0] - at[0], bytes / row) : 1;
    f(place + skipped, row, count, levels > 0 ? of.steps[0] : 0);
    bytes -= row * count;
    skipped = 0;
    if (levels == 0) return;
    at[0] += count;
    place += static_cast<std::ptrdiff_t>(count) * of.steps[0];
    for (std::size_t i = 0; i + 1 < levels && at[i] == of.counts[i]; ++i) {
      place += of.steps[i + 1] - static_cast<std::ptrdiff_t>(of.counts[i]) * of.steps[i];
      at[i] = 0;
      ++at[i + 1];
    }
  }
}

/// Copies those bytes side by side to `packed`.
inline void pack(const_strided const& from, std::size_t offset, std::span<std::byte> packed) {
  std::byte* to = packed.data();
  each_row(from, offset, packed.size(),
           [&](std::byte const* at, std::size_t row, std::size_t count, std::ptrdiff_t step) {
             copy_rows({to, at, row, count, static_cast<std::ptrdiff_t>(row), step});
             to += row * count;
           });
}

/// Stores those bytes, which lie side by side.
inline void unpack(strided const& to, std::size_t offset, std::span<std::byte const> packed) {
  std::byte const* from = packed.data();
  each_row(to, offset, packed.size(), [&](std::byte* at, std::size_t row, std::size_t count, std::ptrdiff_t step) {
    copy_rows({at, from, row, count, step, static_cast<std::ptrdiff_t>(row)});
    from += row * count;
  });
}

}  // namespace sheaf::detail
