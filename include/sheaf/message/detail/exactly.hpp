// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <span>

#include "sheaf/message/byte_writer.hpp"

namespace sheaf::detail {

[[noreturn]] void throw_wrong_size(std::size_t said, std::ptrdiff_t written);

/// Has `write(byte_writer&)` fill the room. Where a user's code takes part in it (`Outside`), throws usage_error unless
/// it wrote what its size() had said.
template <bool Outside, class Write>
void write_exactly(std::span<std::byte> room, Write write) {
  byte_writer to(room.data(), room.data() + room.size());
  write(to);
  if constexpr (Outside) {
    if (to.position() != room.data() + room.size()) [[unlikely]]
      throw_wrong_size(room.size(), to.position() - room.data());
  }
}

}  // namespace sheaf::detail
