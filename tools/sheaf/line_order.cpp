// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/line_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace sheaf::tool {
namespace {

constexpr std::size_t key_digits = 16;
constexpr std::uint64_t largest_count = 255;
constexpr std::uint64_t zero_key = std::uint64_t{1} << 63;

bool is_digit(char c) noexcept { return static_cast<unsigned char>(c - '0') < 10; }

/// A decimal number in canonical form: no zeros at either end, and zero is never negative.
struct decimal {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
};

std::string_view take_digits(std::string_view& rest) noexcept {
  std::size_t n = 0;
  while (n < rest.size() && is_digit(rest[n])) ++n;
  std::string_view const digits = rest.substr(0, n);
  rest.remove_prefix(n);
  return digits;
}

decimal parse(std::string_view line) noexcept {
  std::size_t start = 0;
  while (start < line.size() && (line[start] == ' ' || line[start] == '\t')) ++start;
  line.remove_prefix(start);
  decimal result;
  result.negative = !line.empty() && line.front() == '-';
  if (result.negative) line.remove_prefix(1);
  result.whole = take_digits(line);
  result.whole.remove_prefix(std::min(result.whole.find_first_not_of('0'), result.whole.size()));
  if (!line.empty() && line.front() == '.') {
    line.remove_prefix(1);
    result.fraction = take_digits(line);
    result.fraction = result.fraction.substr(0, result.fraction.find_last_not_of('0') + 1);
  }
  if (result.whole.empty() && result.fraction.empty()) result.negative = false;
  return result;
}

int sign_of(int value) noexcept { return (value > 0) - (value < 0); }

int compare_bytes(std::string_view a, std::string_view b) noexcept { return sign_of(a.compare(b)); }

int compare_magnitude(decimal const& a, decimal const& b) noexcept {
  if (a.whole.size() != b.whole.size()) return a.whole.size() < b.whole.size() ? -1 : 1;
  if (int const whole = compare_bytes(a.whole, b.whole)) return whole;
  return compare_bytes(a.fraction, b.fraction);
}

}  // namespace

std::uint64_t prefix_key(std::string_view line) noexcept {
  unsigned char bytes[8] = {};
  std::memcpy(bytes, line.data(), std::min<std::size_t>(line.size(), 8));
  std::uint64_t key = 0;
  for (unsigned char const byte : bytes) key = key << 8 | byte;
  return key;
}

std::uint64_t numeric_key(std::string_view line) noexcept {
  decimal const number = parse(line);
  std::uint64_t magnitude = zero_key - 1;  // of all numbers with more digits than the key can count
  if (number.whole.size() < largest_count) {
    std::uint64_t digits = 0;
    std::size_t const from_whole = std::min(number.whole.size(), key_digits);
    std::size_t const from_fraction = std::min(number.fraction.size(), key_digits - from_whole);
    for (std::size_t i = 0; i < from_whole; ++i)
      digits = digits * 10 + static_cast<std::uint64_t>(number.whole[i] - '0');
    for (std::size_t i = 0; i < from_fraction; ++i) {
      digits = digits * 10 + static_cast<std::uint64_t>(number.fraction[i] - '0');
    }
    for (std::size_t i = from_whole + from_fraction; i < key_digits; ++i) digits *= 10;
    bool const dropped = from_fraction < number.fraction.size() ||
                         number.whole.find_first_not_of('0', from_whole) != std::string_view::npos;
    magnitude = static_cast<std::uint64_t>(number.whole.size()) << 55 | digits << 1 | (dropped ? 1U : 0U);
  }
  return number.negative ? zero_key - magnitude : zero_key + magnitude;
}

std::uint64_t line_key(line_order order, std::string_view line) noexcept {
  return order.numeric ? numeric_key(line) : prefix_key(line);
}

int compare_numeric(std::string_view a, std::string_view b) noexcept {
  decimal const x = parse(a);
  decimal const y = parse(b);
  if (x.negative != y.negative) return x.negative ? -1 : 1;
  return x.negative ? compare_magnitude(y, x) : compare_magnitude(x, y);
}

int compare_lines(line_order order, std::string_view a, std::string_view b) noexcept {
  int result = order.numeric ? compare_numeric(a, b) : compare_bytes(a, b);
  if (result == 0 && order.numeric && !order.unique) result = compare_bytes(a, b);
  return order.reverse ? -result : result;
}

}  // namespace sheaf::tool
