// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace sheaf::detail {

/// A type of numbers, for code that is compiled once for all.
struct number_kind {
  char letter = '-';       ///< as NumPy's: i, u or f; none: -
  std::uint8_t bytes = 0;  ///< 1, 2, 4 or 8

  bool operator==(number_kind const&) const = default;
};

/// Types of numbers that files have.
template <class T>
concept file_number = std::is_arithmetic_v<T> && sizeof(T) <= 8 && !std::same_as<std::remove_cv_t<T>, bool>;

template <class T>
constexpr number_kind kind_of() {
  if constexpr (file_number<T>) {
    return {std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u', sizeof(T)};
  } else {
    return {};
  }
}

/// The whole text as a number of this kind; false where it is none, or is out of range. A + in front is read over.
bool parse_number(std::string_view text, number_kind kind, void* to);
/// An integer as a number of this kind; false where it is out of range.
bool convert_number(std::int64_t number, number_kind kind, void* to);
/// The shortest text that is read as this number. `bits`: its memory image, and zeros.
void append_number(std::string& to, number_kind kind, std::uint64_t bits);

/// A number's memory image, and zeros.
template <class T>
std::uint64_t memory_bits(T const& number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof(T));
  return bits;
}

}  // namespace sheaf::detail
