// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace sheaf::detail {

/// Sorts `n` values from `values` on in ascending order, in place, with a vectorized quicksort (bytes: by counting).
/// Any thread; no messages; no allocation. Floating-point values are in the total order of IEEE 754, as
/// std::strong_order has it: negative NaNs, -inf, ..., -0.0, +0.0, ..., +inf, positive NaNs. So the result is one and
/// the same however the values are distributed, and without NaNs it is ascending under `<`.
void sort_values(std::int8_t* values, std::size_t n) noexcept;
void sort_values(std::uint8_t* values, std::size_t n) noexcept;
void sort_values(std::int16_t* values, std::size_t n) noexcept;
void sort_values(std::uint16_t* values, std::size_t n) noexcept;
void sort_values(std::int32_t* values, std::size_t n) noexcept;
void sort_values(std::uint32_t* values, std::size_t n) noexcept;
void sort_values(std::int64_t* values, std::size_t n) noexcept;
void sort_values(std::uint64_t* values, std::size_t n) noexcept;
void sort_values(float* values, std::size_t n) noexcept;
void sort_values(double* values, std::size_t n) noexcept;

}  // namespace sheaf::detail
