// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/algorithm/detail/sort_values.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace sheaf::detail {
namespace {

template <typename T>
void sort_vectorized(T* values, std::size_t n) noexcept {
  if (n > 1) hwy::Sorter()(values, n, hwy::SortAscending());
}

template <typename T>
void sort_by_counting(T* values, std::size_t n) noexcept {
  std::array<std::size_t, 256> counts{};
  for (std::size_t i = 0; i < n; ++i) ++counts[static_cast<std::size_t>(values[i] - std::numeric_limits<T>::min())];
  for (std::size_t i = 0; i < counts.size(); ++i) {
    values = std::fill_n(values, counts[i], static_cast<T>(static_cast<int>(i) + std::numeric_limits<T>::min()));
  }
}

/// Turns bits of floating-point values into integers of the same order, and back: negative ones are mirrored.
template <typename Bits>
void mirror_negative(void* values, std::size_t n) noexcept {
  auto* const bytes = static_cast<unsigned char*>(values);
  for (std::size_t i = 0; i < n; ++i) {
    Bits bits;
    std::memcpy(&bits, bytes + i * sizeof bits, sizeof bits);
    bits ^= (bits >> (std::numeric_limits<Bits>::digits)) & std::numeric_limits<Bits>::max();
    std::memcpy(bytes + i * sizeof bits, &bits, sizeof bits);
  }
}

template <typename Bits, typename T>
void sort_as_integers(T* values, std::size_t n) noexcept {
  static_assert(sizeof(Bits) == sizeof(T) && std::numeric_limits<T>::is_iec559);
  mirror_negative<Bits>(values, n);
  sort_vectorized(reinterpret_cast<Bits*>(values), n);
  mirror_negative<Bits>(values, n);
}

}  // namespace

void sort_values(std::int8_t* values, std::size_t n) noexcept { sort_by_counting(values, n); }
void sort_values(std::uint8_t* values, std::size_t n) noexcept { sort_by_counting(values, n); }
void sort_values(std::int16_t* values, std::size_t n) noexcept { sort_vectorized(values, n); }
void sort_values(std::uint16_t* values, std::size_t n) noexcept { sort_vectorized(values, n); }
void sort_values(std::int32_t* values, std::size_t n) noexcept { sort_vectorized(values, n); }
void sort_values(std::uint32_t* values, std::size_t n) noexcept { sort_vectorized(values, n); }
void sort_values(std::int64_t* values, std::size_t n) noexcept { sort_vectorized(values, n); }
void sort_values(std::uint64_t* values, std::size_t n) noexcept { sort_vectorized(values, n); }
void sort_values(float* values, std::size_t n) noexcept { sort_as_integers<std::int32_t>(values, n); }
void sort_values(double* values, std::size_t n) noexcept { sort_as_integers<std::int64_t>(values, n); }

}  // namespace sheaf::detail
