// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sheaf::detail {

/// What a message of a collective operation is for. Every member numbers the team's operations alike; an operation has
/// one or more waves (only a fence has several), a wave has steps.
struct collective_key {
  std::uint32_t team = 0;      ///< below 2^20
  std::uint16_t sequence = 0;  ///< members are never apart by as many operations as this can tell
  std::uint16_t wave = 0;
  std::uint8_t step = 0;
  std::uint32_t mark = 0;  ///< of the call and those before it (call_history)

  static constexpr std::size_t wire_bytes = 12;

  /// Writes exactly wire_bytes: as one number, lowest bits first, team 20 bits, 4 that are 0, step 8, sequence 16, wave
  /// 16; then the mark.
  void encode(std::byte* to) const {
    std::uint64_t const word =
        std::uint64_t{team} | std::uint64_t{step} << 24 | std::uint64_t{sequence} << 32 | std::uint64_t{wave} << 48;
    std::memcpy(to, &word, sizeof word);
    std::memcpy(to + sizeof word, &mark, sizeof mark);
  }

  /// Reads exactly wire_bytes, which the caller has checked to be there. The values may be anything.
  static collective_key decode(std::byte const* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    collective_key key;
    key.team = word & 0xfffff;
    key.step = static_cast<std::uint8_t>(word >> 24);
    key.sequence = static_cast<std::uint16_t>(word >> 32);
    key.wave = static_cast<std::uint16_t>(word >> 48);
    std::memcpy(&key.mark, from + sizeof word, sizeof key.mark);
    return key;
  }

  bool operator==(collective_key const&) const = default;
};

}  // namespace sheaf::detail
