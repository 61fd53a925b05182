// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>

namespace sheaf::detail {

struct execution;

/// Whether the sender had taken fewer cuts than this location when it sent. Both are modulo 256.
inline bool is_behind(std::uint8_t sent_at, std::uint8_t colour) {
  auto const by = static_cast<std::uint8_t>(colour - sent_at);
  return by != 0 && by < 128;
}

/// The end of a text about an entry that cannot be executed.
std::string where_from(execution const& state);

}  // namespace sheaf::detail
