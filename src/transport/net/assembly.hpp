// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "sheaf/transport/buffer.hpp"

namespace sheaf::net {

/// An entry that comes in parts, put together in memory that only this process has.
class assembly {
 public:
  /// The first part begins with the size of all. Takes memory for no more than has come, up to 64 MiB apart. False:
  /// it is no part of this entry, or of any that would be cut into parts of up to `most` bytes.
  [[nodiscard]] bool add(std::span<std::byte const> part, std::size_t most);

  [[nodiscard]] bool begun() const noexcept { return total_ != 0; }
  [[nodiscard]] bool complete() const noexcept { return begun() && bytes_.size() == total_; }
  [[nodiscard]] std::span<std::byte const> bytes() const noexcept { return {bytes_.data(), bytes_.size()}; }

  /// The end of it.
  buffer take() noexcept {
    total_ = 0;
    return std::move(bytes_);
  }

 private:
  void make_room(std::size_t more);

  buffer bytes_;           ///< its size() grows
  std::size_t total_ = 0;  ///< what it will be
};

}  // namespace sheaf::net
