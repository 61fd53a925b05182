// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "transport/net/ring_queue.hpp"

namespace sheaf::net {

/// The sizes of one job, the same in all its processes.
struct limits {
  std::size_t payload = 65536;     ///< the most bytes of one packet behind its header
  std::uint32_t receives = 16;     ///< rooms offered to the wire
  std::uint32_t ring_slots = 256;  ///< credits of a pair of locations and class: entries
  std::uint32_t window = 16;       ///< credits of a pair of locations and class: buffers

  /// Whoever has to keep no more than so many bytes of a packet copies them, so that its room can be used again.
  [[nodiscard]] std::size_t copied() const noexcept { return payload / 8; }
};

/// The credits of one pair and class where they are spent.
struct credit {
  std::uint32_t sent = 0;             ///< entries taken, modulo 2^32
  std::uint32_t acknowledged = 0;     ///< of them known to be consumed, modulo 2^32
  ring_queue<std::uint32_t> buffers;  ///< numbers of the entries that are buffers and not known to be consumed

  [[nodiscard]] std::uint32_t backlog() const noexcept { return sent - acknowledged; }
  [[nodiscard]] bool left(limits const& l, bool buffer_too) const noexcept {
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
