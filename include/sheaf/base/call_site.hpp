// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstdint>

namespace sheaf {

/// The place of a call in the program's source. Functions that wait take it as their last argument, by default the
/// caller's place. Functions with variadic arguments take a `located` destination instead.
struct call_site {
  char const* file = nullptr;  ///< null: not known
  std::uint64_t line = 0;      // 64 bits: of 32, compilers that pass it in memory write half a word and read all of it

  static constexpr call_site here(char const* file = __builtin_FILE(), std::uint64_t line = __builtin_LINE()) noexcept {
    return {file, line};
  }
};

namespace detail {

/// A call_site in one register, for functions that have too many arguments otherwise. The address of the file's name is
/// below 2^48, where systems load programs and libraries. Lines from 2^16 on are stored as 0.
class packed_call_site {
 public:
  packed_call_site(call_site from)  // NOLINT: converts on purpose
      : word_(reinterpret_cast<std::uintptr_t>(from.file) | (from.line < 1U << 16U ? from.line : 0U) << line_at) {}
  operator call_site() const {  // NOLINT: converts on purpose
    return {reinterpret_cast<char const*>(word_ & ((1ULL << line_at) - 1)), word_ >> line_at};
  }

 private:
  static constexpr unsigned line_at = 48;
  std::uint64_t word_;
};

}  // namespace detail

/// A value and the place of the call that passes it. A conversion at the call makes it.
template <class T>
struct located {
  T value;
  call_site from;

  template <class V>
  requires std::convertible_to<V const&, T>
  constexpr located(V const& v, call_site where = call_site::here())  // NOLINT: converts on purpose
      : value(static_cast<T>(v)), from(where) {}
};

}  // namespace sheaf
