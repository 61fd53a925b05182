// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "transport/net/packet.hpp"
#include "transport/net/ring_queue.hpp"

namespace sheaf::net {

/// The sizes of one job, the same in all its processes.
struct limits {
  std::size_t payload = 65536;     ///< largest part of an entry in one packet
  std::size_t inline_bytes = 192;  ///< largest inline entry, at most `payload`
  std::uint32_t receives = 16;     ///< receives posted
  std::uint32_t ring_slots = 256;  ///< credits of a pair and class: entries
  std::uint32_t window = 16;       ///< credits of a pair and class: buffers
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

  /// Whether half of the credits are owed; or so many that more would not fit a header.
  [[nodiscard]] bool due(limits const& l) const noexcept {
    constexpr std::uint32_t most_owed = most_consumed / 2;
    return owed >= std::min(l.ring_slots - l.ring_slots / 2, most_owed) || owed_buffers >= l.window - l.window / 2;
  }

  /// What to tell; nothing is owed then.
  std::uint32_t pay() noexcept {
    owed_buffers = 0;
    return std::exchange(owed, 0);
  }
};

}  // namespace sheaf::net
