// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/windowed.hpp"

#include <string>
#include <utility>

#include "base/call_text.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/rmi/reply_window.hpp"

namespace sheaf::detail {

std::uint32_t checked_slots(std::uint32_t slots, std::uint32_t most) {
  if (slots >= 1 && slots <= most) return slots;
  throw usage_error("sheaf: a reply_window of " + std::to_string(slots) + " slots; it may have 1…" +
                    std::to_string(most));
}

void throw_bad_slot(std::uint32_t slot, std::size_t slots, packed_call_site from) {
  throw usage_error("sheaf: slot " + std::to_string(slot) + " of a reply_window that has slots 0…" +
                    std::to_string(slots - 1) + called_at(from));
}

void throw_first_error(std::string& text) {
  if (!text.empty()) throw remote_error(std::exchange(text, {}));
}

bool window_replies::fail(location& here, std::uint32_t token, std::string text) {
  auto* const window = here.calls().windows.find(token);
  if (window == nullptr) return false;
  if (window->error->empty()) *window->error = std::move(text);
  window->arrived(1);
  return true;
}

}  // namespace sheaf::detail
