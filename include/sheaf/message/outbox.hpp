// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sheaf/message/run_header.hpp"

namespace sheaf::detail {

/// The buffer being filled for one destination and class of traffic, and the run that is open in it. One cache line.
struct alignas(64) outbox {
  std::byte* cursor = nullptr;  ///< where the next record goes
  std::byte* limit = nullptr;   ///< flush instead of writing beyond
  run_tag tag;                  ///< of the open run; none when no run is open
  std::byte* run = nullptr;     ///< the open run's header
  std::byte* data = nullptr;    ///< the buffer's block, null when there is none
  std::uint32_t capacity = 0;
  std::uint32_t threshold = 0;     ///< bytes at which the buffer is flushed now; adapts
  std::uint32_t record_bytes = 0;  ///< of the open run; 0: they vary and `count` counts them
  std::uint32_t count = 0;
  std::uint32_t drained = 0;  ///< buffers that have left the overflow queue, modulo 2^32
  bool listed = false;        ///< is in the location's list of open outboxes
  bool blocked = false;       ///< full buffers of this destination are waiting in the overflow queue

  [[nodiscard]] std::size_t used() const { return static_cast<std::size_t>(cursor - data); }
};

static_assert(sizeof(outbox) == 64);

}  // namespace sheaf::detail
