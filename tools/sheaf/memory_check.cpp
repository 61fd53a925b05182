// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory_check.hpp"

#include <string>

#include "base/machine.hpp"
#include "sheaf/text_error.hpp"

namespace sheaf::tool {

std::uint64_t sort_memory(std::uint64_t text_bytes, std::uint64_t lines) noexcept {
  return text_bytes + text_bytes / 8 + 32 * lines;
}

void check_sort_memory(std::uint64_t text_bytes, std::uint64_t lines, std::uint64_t available) {
  std::uint64_t const needed = sort_memory(text_bytes, lines);
  if (needed <= available) return;
  throw text_error("input of " + detail::in_bytes(text_bytes) + " in about " + std::to_string(lines) + " lines needs " +
                   detail::in_bytes(needed) + " of memory, but at most " + detail::in_bytes(available) +
                   " are available: sort on more hosts, or sort parts and merge them with `sort -m`");
}

}  // namespace sheaf::tool
