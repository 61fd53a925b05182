// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sheaf::net {

/// What a packet carries: an entry of one of the two traffic classes, or acknowledgements alone.
enum class packet_kind : std::uint8_t { request = 0, answer = 1, acknowledgement = 2 };

/// What stands in the first bytes of every packet. Whoever receives it checks every field.
struct packet_header {
  packet_kind kind{};
  std::uint8_t counts_window = 0;      ///< 1: the entry is a buffer, 0: an inline entry
  std::uint8_t is_part = 0;            ///< 1: part of a cut entry; the first part begins with the std::uint64_t size
  std::uint32_t sequence = 0;          ///< counts the packets of this pair and class; travels modulo sequences
  std::uint32_t consumed[2] = {0, 0};  ///< entries from the receiver that the sender has consumed since it last told
                                       ///< so, by class; at most most_consumed
};

/// Sequence numbers need few bits: the packets of a pair are matched with posted receives in the order sent, so one
/// that ends before its turn is ahead of it by fewer packets than are kept early and receives are posted. Together
/// they are fewer than half of the sequence numbers, since no receive is posted while
/// so many packets are kept.
inline constexpr std::uint32_t sequences = 1U << 12;
inline constexpr std::size_t most_early = sequences / 4;
inline constexpr std::uint32_t most_consumed = (1U << 12) - 1;

/// How many bytes a header takes. As one number, lowest bits first: kind 2 bits, counts_window 1, is_part 1,
/// sequence 12, consumed 12 and 12. Each byte counts: libraries send the shortest messages faster.
inline constexpr std::size_t header_bytes = 5;

/// How many bytes of a part of a cut entry go to its size.
inline constexpr std::size_t size_prefix = sizeof(std::uint64_t);

/// Writes the header in front of the payload; 8 bytes there are the caller's.
inline void write_header(std::byte* payload, packet_header const& h) noexcept {
  std::uint64_t const word = static_cast<std::uint64_t>(h.kind) | std::uint64_t{h.counts_window} << 2 |
                             std::uint64_t{h.is_part} << 3 | std::uint64_t{h.sequence % sequences} << 4 |
                             std::uint64_t{h.consumed[0]} << 16 | std::uint64_t{h.consumed[1]} << 28;
  std::uint64_t const last = word << 8 * (sizeof word - header_bytes);
  std::memcpy(payload - sizeof last, &last, sizeof last);
}

/// Reads the 8 bytes in front of the payload.
inline packet_header read_header(std::byte const* payload) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, payload - sizeof word, sizeof word);
  word >>= 8 * (sizeof word - header_bytes);
  packet_header h;
  h.kind = static_cast<packet_kind>(word & 3);
  h.counts_window = word >> 2 & 1;
  h.is_part = word >> 3 & 1;
  h.sequence = word >> 4 & (sequences - 1);
  h.consumed[0] = word >> 16 & most_consumed;
  h.consumed[1] = word >> 28 & most_consumed;
  return h;
}

}  // namespace sheaf::net
