// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "sheaf/base/call_site.hpp"

namespace sheaf::detail {

/// " (called at app.cpp:41)", or nothing where that is not known.
inline std::string called_at(call_site const& from) {
  if (from.file == nullptr) return "";
  std::string const text = std::string(" (called at ") + from.file;
  return text + (from.line == 0 ? ")" : std::string(":") + std::to_string(from.line) + ")");
}

/// A rank as the program wrote it: a negative number has become one that no rank has.
template <std::unsigned_integral Rank>
std::string rank_text(Rank rank) {
  return std::to_string(static_cast<std::make_signed_t<Rank>>(rank));
}

}  // namespace sheaf::detail
