// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sheaf/transport/endpoint.hpp"

namespace sheaf::net {

/// What a slice carries: an entry of the traffic class of that number, or what has been consumed of all classes (a
/// 32-bit count of each).
enum class slice_kind : std::uint8_t { request = 0, answer = 1, credit = traffic_classes };

/// A packet between two processes is a sequence of slices, each from one location to one other. The lane of a location
/// is its number within its process. Whoever receives a slice checks every field. As one number, lowest bits first:
/// kind 3 bits, counts_window 1, source lane 10, destination lane 10, bytes 40.
struct slice {
  static constexpr std::size_t header_bytes = 8;
  static constexpr std::size_t credit_bytes = 4 * traffic_classes;
  static constexpr std::uint32_t most_lanes = 1U << 10;
  static_assert(traffic_classes < 8);

  slice_kind kind{};
  bool counts_window = false;  ///< the entry is a buffer, else an inline entry
  std::uint32_t source_lane = 0;
  std::uint32_t dest_lane = 0;
  std::uint64_t bytes = 0;  ///< behind the header

  void write(std::byte* to) const noexcept {
    std::uint64_t const word = static_cast<std::uint64_t>(kind) | std::uint64_t{counts_window} << 3 |
                               std::uint64_t{source_lane} << 4 | std::uint64_t{dest_lane} << 14 | bytes << 24;
    std::memcpy(to, &word, sizeof word);
  }
  static slice read(std::byte const* from) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    slice s;
    s.kind = static_cast<slice_kind>(word & 7);
    s.counts_window = (word >> 3 & 1) != 0;
    s.source_lane = word >> 4 & (most_lanes - 1);
    s.dest_lane = word >> 14 & (most_lanes - 1);
    s.bytes = word >> 24;
    return s;
  }
};

}  // namespace sheaf::net
