// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::tool {

/// How text lines are ordered: exactly as GNU `sort` does under LC_ALL=C with the options of the same meaning.
/// Bytes are compared unsigned; a line that is a prefix of another comes first.
struct line_order {
  bool numeric = false;  ///< -n: by the number at the start of the line; equal numbers by their bytes
  bool reverse = false;  ///< -r: the whole order reversed, that of equal numbers too
  bool unique = false;   ///< -u: of equal lines (with -n: equal numbers) only the first of the input stays

  /// Whether the place of a line in the input decides which one stays.
  bool needs_position() const noexcept { return numeric && unique; }
};

/// The place of `line` in the order as an integer: lines with keys a < b compare so (before `reverse`).
/// Lines with equal keys may still differ.
std::uint64_t line_key(line_order order, std::string_view line) noexcept;

/// The first eight bytes, big-endian, filled with zeros.
std::uint64_t prefix_key(std::string_view line) noexcept;

/// Blanks, '-', digits, '.', digits, as a monotone integer: sign, count of digits, sixteen digits, and in the last
/// bit whether digits other than zero were dropped. Equal even keys mean equal numbers.
std::uint64_t numeric_key(std::string_view line) noexcept;

/// Whether equal keys of this value prove equal numbers.
constexpr bool is_exact_numeric_key(std::uint64_t key) noexcept { return (key & 1) == 0; }

/// < 0, 0, > 0: the numbers at the start of both lines, of any length, without rounding.
int compare_numeric(std::string_view a, std::string_view b) noexcept;

/// < 0, 0, > 0: the whole order. 0 means that `unique` keeps one of them.
int compare_lines(line_order order, std::string_view a, std::string_view b) noexcept;

}  // namespace sheaf::tool
