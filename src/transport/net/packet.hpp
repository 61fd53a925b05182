// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "sheaf/transport/endpoint.hpp"
#include "sheaf/transport/ring_queue.hpp"

namespace sheaf::net {

/// What a packet is: one of slices, or a call to a process, which says nothing more.
enum class packet_kind : std::uint32_t { slices = 0, call = 1 };

/// What stands in the first bytes of every packet. Whoever receives it checks every field.
struct packet_header {
  std::uint32_t sequence = 0;  ///< counts the packets of an ordered pair of processes, modulo 2^32; 0 in a call
  packet_kind kind{};
};

inline constexpr std::size_t header_bytes = sizeof(packet_header);

/// Writes the header in front of the payload, where there is room for it.
inline void write_header(std::byte* payload, packet_header const& h) noexcept {
  std::memcpy(payload - header_bytes, &h, header_bytes);
}

/// What a slice carries: an entry of that class of traffic, or counts (32 bits) of what is consumed, by
/// class, up to the last one that is not 0.
enum class slice_kind : std::uint8_t { request, answer, delivery, hop, late_hop, credit };
static_assert(static_cast<std::size_t>(slice_kind::credit) == traffic_classes);

/// A packet between two processes is a sequence of slices, each from one location to one other. The lane of a location
/// is its number within its process. An entry that no packet holds comes in parts, of which the first begins with its
/// size (std::uint64_t). Whoever receives a slice checks every field. As one number, lowest bits first: kind 3 bits,
/// counts_window 1, source lane 10, destination lane 10, is_part 1, none 7, bytes 32.
struct slice {
  static constexpr std::size_t header_bytes = 8;
  static constexpr std::size_t most_credit_bytes = 4 * traffic_classes;
  static constexpr std::size_t size_prefix = sizeof(std::uint64_t);
  static constexpr std::uint32_t most_lanes = 1U << 10;
  static_assert(traffic_classes < 8);

  slice_kind kind{};
  bool counts_window = false;  ///< the entry is a buffer, else an inline entry
  std::uint32_t source_lane = 0;
  std::uint32_t dest_lane = 0;
  std::uint32_t bytes = 0;  ///< behind the header
  bool is_part = false;     ///< of an entry; a buffer

  void write(std::byte* to) const noexcept {
    std::uint64_t const word = static_cast<std::uint64_t>(kind) | std::uint64_t{counts_window} << 3 |
                               std::uint64_t{source_lane} << 4 | std::uint64_t{dest_lane} << 14 |
                               std::uint64_t{is_part} << 24 | std::uint64_t{bytes} << 32;
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
    s.is_part = (word >> 24 & 1) != 0;
    s.bytes = static_cast<std::uint32_t>(word >> 32);
    return s;
  }
};

/// What an acknowledgement takes in a packet, at most.
inline constexpr std::size_t acknowledgement_bytes = slice::header_bytes + slice::most_credit_bytes;

/// The sizes of one job, the same in all its processes.
struct limits {
  std::size_t payload = 65536;     ///< the most bytes of one packet behind its header; an inline entry fits
  std::uint32_t receives = 16;     ///< rooms offered to the wire
  std::uint32_t ring_slots = 256;  ///< credits of a pair of locations and class: entries
  std::uint32_t window = 16;       ///< credits of a pair of locations and class: buffers

  /// Whoever has to keep no more than so many bytes of a packet copies them, so that its room can be used again.
  [[nodiscard]] std::size_t copied() const noexcept { return payload / 8; }
};

using detail::ring_queue;

/// The credits of one pair and class where they are spent.
struct credit {
  std::uint32_t sent = 0;             ///< entries taken, modulo 2^32
  std::uint32_t acknowledged = 0;     ///< of them known to be consumed, modulo 2^32
  ring_queue<std::uint32_t> buffers;  ///< numbers of the entries that are buffers and not known to be consumed

  [[nodiscard]] std::uint32_t backlog() const noexcept { return sent - acknowledged; }
  [[nodiscard]] bool any(limits const& l, bool buffer_too) const noexcept {
    return backlog() < l.ring_slots && (!buffer_too || buffers.size() < l.window);
  }

  /// Takes the credits of one entry.
  void charge(bool counts_window) {
    if (counts_window) buffers.push(sent);
    ++sent;
  }

  /// The receiver has consumed `news` more entries. False: it cannot have.
  [[nodiscard]] bool settle(std::uint32_t news) noexcept {
    if (news == 0) return true;
    if (news > backlog()) return false;
    acknowledged += news;
    while (!buffers.empty() && buffers.front() - acknowledged > UINT32_MAX / 2) buffers.drop();
    return true;
  }
};

/// What the other side of one pair and class does not know to be consumed yet.
struct debt {
  std::uint32_t owed = 0;
  std::uint32_t owed_buffers = 0;  ///< among them

  void add(bool counts_window) noexcept {
    ++owed;
    owed_buffers += counts_window;
  }

  /// Whether at least one credit in `part` is owed: in 2, it is told at once; in 4, with what goes there anyway.
  [[nodiscard]] bool due(limits const& l, std::uint32_t part) const noexcept {
    return owed >= l.ring_slots - l.ring_slots / part * (part - 1) ||
           owed_buffers >= l.window - l.window / part * (part - 1);
  }

  /// What to tell; nothing is owed then.
  std::uint32_t pay() noexcept {
    owed_buffers = 0;
    return std::exchange(owed, 0);
  }
};

}  // namespace sheaf::net
