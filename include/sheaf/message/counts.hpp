// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sheaf/message/handler.hpp"
#include "sheaf/message/outbox.hpp"
#include "sheaf/message/sparse_table.hpp"

namespace sheaf::detail {

/// What a location counts of itself and one other: its requests to that one, and that one's to it. Entries and bytes
/// are of both classes of traffic.
struct link_counts {
  std::uint64_t created =
      0;  ///< requests to it in closed runs; where others may enter, in buffers that were handed over
  std::uint64_t executed = 0;  ///< requests of it, in runs that ended here
  std::uint64_t entries_sent = 0, bytes_sent = 0;
  std::uint64_t entries_received = 0, bytes_received = 0;

  void sent(std::size_t bytes) {
    ++entries_sent;
    bytes_sent += bytes;
  }
  void received(std::size_t bytes) {
    ++entries_received;
    bytes_received += bytes;
  }
  [[nodiscard]] bool used() const { return (created | executed | entries_sent | entries_received) != 0; }
};

/// Runs and requests of one handler that have begun here.
struct handler_counts {
  std::uint64_t runs = 0;
  std::uint64_t requests = 0;
};

/// What one location counts, at the granularity of runs and entries: plain stores, of its own thread or inside its
/// gate.
class location_counts {
 public:
  [[nodiscard]] link_counts& link(std::uint32_t location) { return links_[location]; }
  /// By location; those that this one had to do with.
  [[nodiscard]] sparse_table<link_counts> const& links() const { return links_; }

  void run(std::uint32_t handler, std::uint32_t requests) {
    if (handler >= handlers_.size()) [[unlikely]]
      return first_run(handler, requests);
    ++handlers_[handler].runs;
    handlers_[handler].requests += requests;
  }
  /// By number; the first place is that of methods named by pointers.
  [[nodiscard]] std::vector<handler_counts> const& handlers() const { return handlers_; }

  static void raise(std::uint64_t& mark, std::uint64_t now) { mark = std::max(mark, now); }

  std::array<std::uint64_t, flush_reasons> flushes{};  ///< buffers handed on, by reason
  std::uint64_t reserve_high = 0;                      ///< bytes in the reserve
  std::uint64_t overflow_high = 0;                     ///< full buffers that waited for credit
  std::uint64_t open_high = 0;                         ///< buffers being filled
  std::uint64_t open_bytes_high = 0;                   ///< their bytes
  std::uint64_t held_high = 0;                         ///< entries for what is not registered
  std::uint64_t nested_high = 0;                       ///< methods that waited
  std::uint64_t overflow_now = 0;

 private:
  [[gnu::noinline]] void first_run(std::uint32_t handler, std::uint32_t requests) {
    if (handler > detail::handlers.size) handler = 0;
    if (handler >= handlers_.size()) handlers_.resize(detail::handlers.size + 1);
    ++handlers_[handler].runs;
    handlers_[handler].requests += requests;
  }

  sparse_table<link_counts> links_;
  std::vector<handler_counts> handlers_;
};

}  // namespace sheaf::detail
