// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/algorithm/detail/local_sort.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

namespace sheaf::detail {
namespace {

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
    bits ^= static_cast<Bits>((bits >> std::numeric_limits<Bits>::digits) & std::numeric_limits<Bits>::max());
    std::memcpy(bytes + i * sizeof bits, &bits, sizeof bits);
  }
}

/// Values of the size of `Signed`; floating-point ones as the integers that their bits are.
template <typename Signed>
void sort_sized(void* values, std::size_t n, bool is_signed, bool is_floating) noexcept {
  auto const sort = [n](auto* first) {
    if constexpr (sizeof *first == 1) {
      sort_by_counting(first, n);
    } else if (n > 1) {
      hwy::Sorter()(first, n, hwy::SortAscending());
    }
  };
  if (is_floating) mirror_negative<Signed>(values, n);
  is_signed ? sort(static_cast<Signed*>(values)) : sort(static_cast<std::make_unsigned_t<Signed>*>(values));
  if (is_floating) mirror_negative<Signed>(values, n);
}

}  // namespace

void sort_values(void* values, std::size_t n, std::size_t bytes, bool is_signed, bool is_floating) noexcept {
  static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);
  auto* const sort = bytes == 1   ? sort_sized<std::int8_t>
                     : bytes == 2 ? sort_sized<std::int16_t>
                     : bytes == 4 ? sort_sized<std::int32_t>
                                  : sort_sized<std::int64_t>;
  sort(values, n, is_signed, is_floating);
}

}  // namespace sheaf::detail
