// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/windowed.hpp"

#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

std::uint32_t checked_slots(std::uint32_t slots, std::uint32_t most) {
  if (slots >= 1 && slots <= most) return slots;
  throw usage_error("sheaf: a reply_window of " + std::to_string(slots) + " slots; it may have 1…" +
                    std::to_string(most));
}

void throw_bad_slot(std::uint32_t slot, std::size_t slots) {
  throw usage_error("sheaf: slot " + std::to_string(slot) + " of a reply_window that has slots 0…" +
                    std::to_string(slots - 1));
}

void throw_unawaited(execution const& state, std::uint32_t token) {
  throw wire_error("sheaf: location " + std::to_string(number(state.source)) + " answered token " +
                   std::to_string(token) + ", which no reply window awaits");
}

void window_error::run(location& here, void*, execution& state) {
  using codec = arguments_codec<std::uint32_t, std::string>;
  while (state.at != state.run_end) {
    auto [token, text] = take_record(state, [](byte_reader& reader) { return codec::decode(reader); });
    auto* const window = here.windows().find(token);
    if (window == nullptr) throw_unawaited(state, token);
    if (window->error->empty()) *window->error = std::move(text);
    window->arrived(1);
  }
}

}  // namespace sheaf::detail
