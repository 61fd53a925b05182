// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string_view>

#include "sheaf/base/call_site.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

/// What all members must say alike when they call a collective operation.
struct collective_said {
  char const* what;           ///< the function; a literal
  std::string_view values{};  ///< the type of what it is about, from the compiler; empty: of no values
  std::uint32_t mark = 0;     ///< differs where these differ, but for one case in 2^32
};

/// FNV-1a. Continues from `mark`.
constexpr std::uint32_t mark_of(std::string_view text, std::uint32_t mark = 0x811c9dc5U) {
  for (char const c : text) mark = (mark ^ static_cast<unsigned char>(c)) * 0x01000193U;
  return mark;
}

/// An operation without values.
consteval collective_said says(char const* what) { return {what, {}, mark_of(what)}; }

/// One of values of type T. Types of one name in several source files differ by their size at least.
template <class T>
consteval collective_said says(char const* what) {
  std::string_view const values = handler_name<T>();
  return {what, values, mark_of(values, mark_of(what)) + static_cast<std::uint32_t>(sizeof(T))};
}

/// Who is to take part, what they must all say, and where the program says so.
struct collective_call {
  static constexpr std::uint32_t no_root = ~std::uint32_t{0};

  team const& members;
  collective_said said;
  call_site from{};
  std::uint32_t root = no_root;
  std::uint32_t object = 0;  ///< not 0: `values` names a handler, which is called on this object of the members
  std::uint32_t scope = 0;   ///< not 0: a fence of this scope of the team
};

}  // namespace sheaf::detail
