// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/detail/number_kind.hpp"

#include <charconv>
#include <system_error>
#include <utility>

namespace sheaf::detail {

namespace {

/// Calls use(a T) for the type of a kind.
template <class Use>
auto with_type(number_kind kind, Use use) {
  if (kind.letter == 'f') return kind.bytes == 4 ? use(float{}) : use(double{});
  bool const is_signed = kind.letter == 'i';
  switch (kind.bytes) {
    case 1:
      return is_signed ? use(std::int8_t{}) : use(std::uint8_t{});
    case 2:
      return is_signed ? use(std::int16_t{}) : use(std::uint16_t{});
    case 4:
      return is_signed ? use(std::int32_t{}) : use(std::uint32_t{});
    default:
      return is_signed ? use(std::int64_t{}) : use(std::uint64_t{});
  }
}

}  // namespace

bool parse_number(std::string_view text, number_kind kind, void* to) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return with_type(kind, [&](auto its) {
    auto const [at, wrong] = std::from_chars(text.data(), text.data() + text.size(), its);
    std::memcpy(to, &its, sizeof its);
    return wrong == std::errc{} && at == text.data() + text.size();
  });
}

bool convert_number(std::int64_t number, number_kind kind, void* to) {
  return with_type(kind, [&](auto its) {
    using type = decltype(its);
    if constexpr (std::is_integral_v<type>) {
      if (!std::in_range<type>(number)) return false;
    }
    its = static_cast<type>(number);
    std::memcpy(to, &its, sizeof its);
    return true;
  });
}

void append_number(std::string& to, number_kind kind, std::uint64_t bits) {
  with_type(kind, [&](auto its) {
    std::memcpy(&its, &bits, sizeof its);
    char digits[32];
    to.append(digits, std::to_chars(digits, digits + sizeof digits, its).ptr);
  });
}

}  // namespace sheaf::detail
