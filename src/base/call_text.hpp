// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>

#include "sheaf/base/call_site.hpp"

namespace sheaf::detail {

/// " (called at app.cpp:41)", or nothing where that is not known.
inline std::string called_at(call_site const& from) {
  if (from.file == nullptr) return "";
  std::string const text = std::string(" (called at ") + from.file;
  return text + (from.line == 0 ? ")" : std::string(":") + std::to_string(from.line) + ")");
}

/// A rank as the program meant it: one a little below 0 has become one of 32 or 64 bits that no location has.
inline std::string rank_text(std::uint64_t rank) {
  bool const wrapped = rank <= UINT32_MAX && rank > UINT32_MAX - UINT16_MAX;
  return std::to_string(wrapped ? static_cast<std::int32_t>(rank) : static_cast<std::int64_t>(rank));
}

}  // namespace sheaf::detail
