// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstdint>

namespace sheaf {

/// Where in the program's source a call stands. Functions that wait have one as their last argument, which callers
/// leave to its default; those with a list of arguments of the caller's have a `located` destination instead.
struct call_site {
  char const* file = nullptr;  ///< null: not known
  std::uint64_t line = 0;      // a whole word, or compilers that pass it in memory write half of one and read it all

  static constexpr call_site here(char const* file = __builtin_FILE(), std::uint64_t line = __builtin_LINE()) noexcept {
    return {file, line};
  }
};

namespace detail {

/// A call_site in one register, for functions whose arguments would not fit into them otherwise. The file's name is in
/// the program or a library of it, which systems load below 2^48; lines from 2^16 on are not told.
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

/// A value, and where the program gives it to a call: made by conversion at the call.
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
