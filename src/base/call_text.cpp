// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/call_text.hpp"

namespace sheaf::detail {

std::string called_at(call_site const& from) {
  if (from.file == nullptr) return "";
  std::string const text = std::string(" (called at ") + from.file;
  return text + (from.line == 0 ? ")" : ":" + std::to_string(from.line) + ")");
}

std::string rank_text(std::uint64_t rank) { return std::to_string(static_cast<std::int64_t>(rank)); }
std::string rank_text(std::uint32_t rank) { return std::to_string(static_cast<std::int32_t>(rank)); }

}  // namespace sheaf::detail
