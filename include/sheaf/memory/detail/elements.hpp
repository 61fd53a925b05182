// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sheaf {
namespace detail {

/// What accumulates add up. Integers wrap around.
enum class element_kind : std::uint8_t { integer32, integer64, float32, float64, complex64, complex128 };

[[nodiscard]] constexpr std::size_t bytes_of(element_kind kind) noexcept {
  constexpr std::size_t bytes[] = {4, 8, 4, 8, 8, 16};
  return bytes[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr bool is_integer(element_kind kind) noexcept { return kind <= element_kind::integer64; }

/// What read-modify-write does with a word. `swap_if`: stores where the word is what is expected.
enum class change_kind : std::uint8_t { add, swap, swap_if, bit_and, bit_or, bit_xor, load, store };

template <class T>
consteval element_kind kind_of() {
  if constexpr (std::same_as<T, float>) {
    return element_kind::float32;
  } else if constexpr (std::same_as<T, double>) {
    return element_kind::float64;
  } else if constexpr (std::same_as<T, std::complex<float>>) {
    return element_kind::complex64;
  } else if constexpr (std::same_as<T, std::complex<double>>) {
    return element_kind::complex128;
  } else {
    return sizeof(T) == 4 ? element_kind::integer32 : element_kind::integer64;
  }
}

}  // namespace detail

/// Integers of 32 or 64 bits.
template <class T>
concept atomic_integer = std::integral<T> && !std::is_const_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// What accumulate() adds.
template <class T>
concept accumulated = atomic_integer<T> || std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

}  // namespace sheaf
