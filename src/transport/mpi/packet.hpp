// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sheaf::mpi {

/// What a packet carries: an entry of one of the two traffic classes, or acknowledgements alone.
enum class packet_kind : std::uint8_t { request = 0, answer = 1, acknowledgement = 2 };

/// What stands in the first bytes of every packet. Whoever receives it checks every field.
struct packet_header {
  packet_kind kind{};
  std::uint8_t counts_window = 0;  ///< 1: the entry is a buffer, 0: an inline entry
  std::uint8_t is_part = 0;        ///< 1: part of a cut entry; the first part begins with the std::uint64_t size
  std::uint32_t sequence = 0;      ///< counts the packets of this pair and class, modulo 2^32
  std::uint32_t consumed[2] = {0,
                               0};  ///< entries from the receiver that the sender has consumed, by class, modulo 2^32
};

/// How many bytes a header takes: kind, counts_window, is_part, 0, then sequence and consumed, in the order of the
/// processor.
inline constexpr std::size_t header_bytes = 16;

/// How many bytes of a part of a cut entry go to its size.
inline constexpr std::size_t size_prefix = sizeof(std::uint64_t);

/// Two stores of eight bytes: a copy of a header whose fields have just been stored one by one would wait for them.
inline void write_header(std::byte* payload, packet_header const& h) noexcept {
  std::uint64_t const what = static_cast<std::uint64_t>(h.kind) | std::uint64_t{h.counts_window} << 8 |
                             std::uint64_t{h.is_part} << 16 | std::uint64_t{h.sequence} << 32;
  std::uint64_t const done = std::uint64_t{h.consumed[0]} | std::uint64_t{h.consumed[1]} << 32;
  std::memcpy(payload - 16, &what, sizeof what);
  std::memcpy(payload - 8, &done, sizeof done);
}

inline packet_header read_header(std::byte const* payload) noexcept {
  std::uint64_t what = 0;
  std::uint64_t done = 0;
  std::memcpy(&what, payload - 16, sizeof what);
  std::memcpy(&done, payload - 8, sizeof done);
  packet_header h;
  h.kind = static_cast<packet_kind>(what);
  h.counts_window = static_cast<std::uint8_t>(what >> 8);
  h.is_part = static_cast<std::uint8_t>(what >> 16);
  h.sequence = static_cast<std::uint32_t>(what >> 32);
  h.consumed[0] = static_cast<std::uint32_t>(done);
  h.consumed[1] = static_cast<std::uint32_t>(done >> 32);
  return h;
}

}  // namespace sheaf::mpi
