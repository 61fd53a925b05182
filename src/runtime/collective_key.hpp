// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sheaf::detail {

/// What the members of a team call together.
enum class collective_kind : std::uint8_t { barrier, fence, broadcast, reduce, scan };

char const* name(collective_kind kind) noexcept;

/// What a message of a collective operation is for. Every member numbers the team's operations alike; an operation has
/// one or more waves (only a fence has several), a wave has steps.
struct collective_key {
  std::uint32_t team = 0;
  std::uint32_t sequence = 0;
  std::uint16_t wave = 0;
  std::uint8_t step = 0;
  collective_kind kind{};

  static constexpr std::size_t wire_bytes = 12;

  /// Writes exactly wire_bytes.
  void encode(std::byte* to) const {
    auto const what = static_cast<std::uint8_t>(kind);
    std::memcpy(to, &team, 4);
    std::memcpy(to + 4, &sequence, 4);
    std::memcpy(to + 8, &wave, 2);
    std::memcpy(to + 10, &step, 1);
    std::memcpy(to + 11, &what, 1);
  }

  /// Reads exactly wire_bytes, which the caller has checked to be there. The values may be anything.
  static collective_key decode(std::byte const* from) {
    collective_key key;
    std::uint8_t what = 0;
    std::memcpy(&key.team, from, 4);
    std::memcpy(&key.sequence, from + 4, 4);
    std::memcpy(&key.wave, from + 8, 2);
    std::memcpy(&key.step, from + 10, 1);
    std::memcpy(&what, from + 11, 1);
    key.kind = static_cast<collective_kind>(what);
    return key;
  }

  bool operator==(collective_key const&) const = default;
};

}  // namespace sheaf::detail
