// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sheaf/message/run_header.hpp"

namespace sheaf::detail {

class stream;

/// How many bytes ahead of a record the sender and the receiver of a buffer ask for its lines, which are in another
/// core's cache. The processors' own prefetchers lose track of a buffer when handlers touch memory at random.
inline constexpr std::size_t lines_ahead = 1024;

/// Why a buffer is handed to the transport.
enum class flush_reason : std::uint8_t {
  full,    ///< no room for the next record
  idle,    ///< its location waits and has nothing else to do, or polls
  urgent,  ///< somebody waits for what is in it
  asked,   ///< by the program
  age,
  fence,
  answers,  ///< the entry with the questions has been executed
  budget    ///< another one needed its room in the location's share of SHEAF_BUFFER_BUDGET
};
inline constexpr std::size_t flush_reasons = 8;

/// The buffer being filled for one destination of a stream, and the run that is open in it. Appending to the open run
/// touches the first cache line alone.
struct alignas(64) outbox {
  std::byte* cursor = nullptr;  ///< where the next record goes
  std::byte* last = nullptr;    ///< poll or flush before a record that would begin beyond (varying sizes: end beyond)
  run_tag tag;                  ///< of the open run; none when no run is open
  std::byte* data = nullptr;    ///< the buffer's block, null when there is none
  std::size_t run = 0;          ///< where in it the open run's header is
  std::size_t end = 0;          ///< where in it to flush; `last` speaks of this or, in requests of the program, of less
  std::uint32_t record_bytes = 0;  ///< of the open run; 0: they vary and `count` counts them
  std::uint32_t count = 0;
  std::uint32_t dest = 0;
  std::uint16_t sent = 0;  ///< entries that the transport has taken, modulo 2^16
  bool listed = false;     ///< is in the stream's list of open outboxes
  bool blocked = false;    ///< full buffers of this destination are waiting in the overflow queue

  std::size_t capacity = 0;
  std::uint32_t threshold = 0;  ///< bytes at which the buffer is flushed now; adapts
  std::uint32_t drained = 0;    ///< buffers that have left the overflow queue, modulo 2^32
  stream* owner = nullptr;
  outbox* filled = nullptr;  ///< the outbox that is filled: this one, or, where others may enter the location, another

  /// A record of the open run's fixed size can go behind the last one as things are.
  [[nodiscard]] bool takes(run_tag next) const { return tag == next && cursor <= last; }
  /// Where it goes.
  std::byte* next(std::uint32_t bytes) {
    std::byte* const to = cursor;
    cursor = to + bytes;
    // The lines were last read by another core: the stores must not wait for each of them.
    __builtin_prefetch(to + lines_ahead, 1);
    return to;
  }
  /// A record of varying size can go behind the last one as things are.
  [[nodiscard]] bool takes(run_tag next, std::size_t bytes) const {
    return tag == next && bytes <= static_cast<std::size_t>(last - cursor);
  }
  /// Bytes until it must be flushed; 0 without a buffer.
  [[nodiscard]] std::size_t room() const { return data == nullptr ? 0 : end - used(); }
  /// Bytes until it must be polled or flushed.
  [[nodiscard]] std::size_t room_until_poll() const { return static_cast<std::size_t>(last - cursor) + record_bytes; }
  [[nodiscard]] std::size_t used() const { return static_cast<std::size_t>(cursor - data); }
};

static_assert(sizeof(outbox) == 128);

}  // namespace sheaf::detail
