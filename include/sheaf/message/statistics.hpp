// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/message/outbox.hpp"

namespace sheaf {

using detail::flush_reason;

/// What locations have counted since their job began; all 0 in a library built with SHEAF_INSIGHT=OFF. Runs and entries
/// are counted when they are closed, handed over or opened: requests of an open or executing run are not in it yet.
struct statistics {
  /// Requests of one handler that were executed.
  struct handler {
    std::string name;  ///< the method, for people
    std::uint64_t runs = 0;
    std::uint64_t requests = 0;
  };

  /// One ordered pair of locations. `created`, `entries_sent` and `bytes_sent` are counted at `from`, the others at
  /// `to`. Entries (a buffer, or an inline message) and bytes include answers and control.
  struct link {
    std::uint32_t from = 0, to = 0;
    std::uint64_t created = 0, executed = 0;  ///< requests
    std::uint64_t entries_sent = 0, entries_received = 0;
    std::uint64_t bytes_sent = 0, bytes_received = 0;
  };

  /// What the table of a policy of a message type has saved. What it passed over without a look is not counted.
  struct policy {
    std::string name;  ///< the type and its policy, for people
    std::uint64_t looked_up = 0;
    std::uint64_t hits = 0;  ///< messages that were dropped or combined
  };

  /// The highest values at one time, each of the location where it was highest.
  struct marks {
    std::uint64_t reserve_bytes = 0;     ///< held back for want of credit
    std::uint64_t overflow_buffers = 0;  ///< full buffers that waited for credit
    std::uint64_t open_buffers = 0;      ///< buffers being filled
    std::uint64_t held_entries = 0;      ///< whose object was not registered yet
    std::uint64_t nested_waits = 0;      ///< methods of a location that waited
    std::uint64_t open_bytes = 0;        ///< of the buffers being filled, hybrid's packets among them
  };

  std::vector<handler> handlers;                               ///< those with requests, most requests first
  std::vector<link> links;                                     ///< those that were used, by (from, to)
  std::vector<policy> policies;                                ///< those with tables, by name
  std::array<std::uint64_t, detail::flush_reasons> flushes{};  ///< buffers handed to the transport, by flush_reason
  marks most;
  std::uint64_t reserve_raises = 0;
  std::uint64_t passed_on = 0;  ///< requests that were on the way to others

  [[nodiscard]] std::uint64_t flushed(flush_reason why) const { return flushes[static_cast<std::size_t>(why)]; }

  /// A table for people: handlers, links, buffers by reason, marks; the first `rows` of each. Ends with a newline.
  [[nodiscard]] std::string text(std::size_t rows = 16) const;
};

/// The word that tables use.
char const* name(flush_reason why) noexcept;

}  // namespace sheaf
