// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sheaf::detail {

/// What the members of a team call together.
enum class collective_kind : std::uint8_t {
  barrier,
  fence,
  broadcast,
  reduce,
  scan,
  gather,
  reduce_to_one,
  all_to_all,
  reduce_scatter
};

char const* name(collective_kind kind) noexcept;

/// What a message of a collective operation is for. Every member numbers the team's operations alike; an operation has
/// one or more waves (only a fence has several), a wave has steps.
struct collective_key {
  std::uint32_t team = 0;      ///< below 2^20
  std::uint16_t sequence = 0;  ///< members are never apart by as many operations as this can tell
  std::uint16_t wave = 0;
  std::uint8_t step = 0;
  collective_kind kind{};  ///< below 2^4

  static constexpr std::size_t wire_bytes = 8;

  /// Writes exactly wire_bytes: as one number, lowest bits first, team 20 bits, kind 4, step 8, sequence 16, wave 16.
  void encode(std::byte* to) const {
    std::uint64_t const word = std::uint64_t{team} | static_cast<std::uint64_t>(kind) << 20 |
                               std::uint64_t{step} << 24 | std::uint64_t{sequence} << 32 | std::uint64_t{wave} << 48;
    std::memcpy(to, &word, sizeof word);
  }

  /// Reads exactly wire_bytes, which the caller has checked to be there. The values may be anything.
  static collective_key decode(std::byte const* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    collective_key key;
    key.team = word & 0xfffff;
    key.kind = static_cast<collective_kind>(word >> 20 & 0xf);
    key.step = static_cast<std::uint8_t>(word >> 24);
    key.sequence = static_cast<std::uint16_t>(word >> 32);
    key.wave = static_cast<std::uint16_t>(word >> 48);
    return key;
  }

  bool operator==(collective_key const&) const = default;
};

}  // namespace sheaf::detail
