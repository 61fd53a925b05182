// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sheaf::mpi {

/// What a packet carries: an entry of one of the two traffic classes, or acknowledgements alone.
enum class packet_kind : std::uint8_t { request = 0, answer = 1, acknowledgement = 2 };

/// The first bytes of every packet, as they are in memory: all processes run the same build on like processors.
/// Whoever receives it checks every field.
struct packet_header {
  packet_kind kind{};
  std::uint8_t counts_window = 0;  ///< 1: the entry is a buffer, 0: an inline entry
  std::uint8_t is_part = 0;        ///< 1: part of an entry that was cut; the first part begins with its std::uint64_t size
  std::uint8_t unused = 0;
  std::uint32_t sequence = 0;             ///< counts the packets of this pair and class, modulo 2^32
  std::uint32_t consumed[2] = {0, 0};     ///< entries of the receiver, by class, that the sender has consumed, modulo 2^32
};
static_assert(sizeof(packet_header) == 16);

/// How many bytes of a part of a cut entry go to its size.
inline constexpr std::size_t size_prefix = sizeof(std::uint64_t);

inline void write_header(std::byte* payload, packet_header const& h) noexcept {
  std::memcpy(payload - sizeof h, &h, sizeof h);
}

inline packet_header read_header(std::byte const* payload) noexcept {
  packet_header h;
  std::memcpy(&h, payload - sizeof h, sizeof h);
  return h;
}

}  // namespace sheaf::mpi
