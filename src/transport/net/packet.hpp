// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sheaf::net {

/// What a packet is: a whole one, a part of one that was cut (the first begins with the std::uint64_t size), or a call
/// to a process, which says nothing more.
enum class packet_kind : std::uint32_t { whole = 0, part = 1, call = 2 };

/// What stands in the first bytes of every packet. Whoever receives it checks every field.
struct packet_header {
  std::uint32_t sequence = 0;  ///< counts the packets of an ordered pair of processes, modulo 2^32; 0 in a call
  packet_kind kind{};
};

inline constexpr std::size_t header_bytes = sizeof(packet_header);

/// How many bytes of the first part of a cut packet go to its size.
inline constexpr std::size_t size_prefix = sizeof(std::uint64_t);

/// Writes the header in front of the payload, where there is room for it.
inline void write_header(std::byte* payload, packet_header const& h) noexcept {
  std::memcpy(payload - header_bytes, &h, header_bytes);
}
inline packet_header read_header(std::byte const* payload) noexcept {
  packet_header h;
  std::memcpy(&h, payload - header_bytes, header_bytes);
  return h;
}

}  // namespace sheaf::net
