// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "sheaf/base/ambient.hpp"
#include "sheaf/base/call_site.hpp"
#include "sheaf/message/run_header.hpp"

namespace sheaf::detail {

class location;

class stream;
struct asker;
struct question_run;
struct window_state;

/// How many bytes ahead of a record the sender and the receiver of a buffer ask for its lines, which are in another
/// core's cache. The processors' own prefetchers lose track of a buffer when handlers touch memory at random.
inline constexpr std::ptrdiff_t lines_ahead = 1024;

/// The reason why a buffer is handed to the transport.
enum class flush_reason : std::uint8_t {
  full,    ///< no room for the next record
  idle,    ///< its location waits and has nothing else to do, or polls
  credit,  ///< its program waits for credit of another pair: it has much to send, so sizes stay
  urgent,  ///< somebody waits for its content
  asked,   ///< by the program
  age,
  fence,
  answers,  ///< the entry with the questions has been executed
  budget    ///< another one needed its room in the location's share of SHEAF_BUFFER_BUDGET_BYTES
};
inline constexpr std::size_t flush_reasons = 9;

/// A record that is to be appended.
struct record_form {
  run_tag tag;
  std::size_t bytes = 0;
  std::uint32_t each = 0;      ///< `bytes`, in a run whose records all have as many; 0: they vary
  asker const* who = nullptr;  ///< of a question whose answer goes to a place here (open_calls.hpp)
};

/// The buffer being filled for one destination of a stream, and the run that is open in it. Appending to the open run
/// touches the first cache line alone. What a record holds is written before anything else is called; where the
/// location has a gate, inside an admission that covers both, or a `placed`.
struct alignas(64) outbox {
  std::byte* cursor = &nowhere;  ///< where the next record goes; not null where there is no buffer, either
  std::byte* last = nullptr;     ///< poll or flush before a record that would begin beyond (varying sizes: end beyond);
                                 ///< null when no run is open: so it takes no record
  run_tag tag;                   ///< of the open run; none when no run is open
  std::uintptr_t* place = nullptr;  ///< in a run of questions: where the place of the next answer is to be noted
  window_state* window = nullptr;   ///< in a run of questions: the window that asked last; null: a future did
  std::byte* data = nullptr;        ///< the buffer's block, null when there is none
  std::size_t run = 0;              ///< where in it the open run's header is
  std::size_t end = 0;  ///< where in it to flush; `last` speaks of this or, in requests of the program, of less

  std::uint32_t record_bytes = 0;  ///< of the open run; 0: they vary and `count` counts them
  std::uint32_t count = 0;
  std::uint32_t dest = 0;
  std::uint16_t sent = 0;    ///< entries that the transport has taken, modulo 2^16
  bool listed : 1 = false;   ///< is in the stream's list of open outboxes
  bool blocked : 1 = false;  ///< full buffers of this destination are waiting in the overflow queue
  bool shown : 1 = false;    ///< callers see it, and `other` is filled: where others may enter the location, or a route
                             ///< leads there by other locations
  std::uint8_t path : 3 = 0;  ///< of a shown one: the route_kind; 0: none
  std::uint8_t stage = 0;     ///< of one that routes fill: when its link is used (route.hpp)
  std::size_t capacity = 0;
  std::uint32_t threshold = 0;  ///< bytes at which the buffer is flushed now; adapts
  std::uint32_t drained = 0;    ///< buffers that have left the overflow queue, modulo 2^32
  stream* owner = nullptr;
  outbox* other = nullptr;            ///< filled() if this one is shown; pair() if it is filled
  question_run* questions = nullptr;  ///< of the open run; null: it has none
  std::size_t stamped = 0;  ///< where others may enter: bytes of runs that are counted, though they have not left
  static inline std::byte nowhere{};

  /// The outbox into which records go that are appended to this one.
  [[nodiscard]] outbox& filled() { return shown ? *other : *this; }
  /// Of a filled outbox: the outbox for the same destination in the location's own stream, which counts its buffers and
  /// holds those that wait for credit.
  [[nodiscard]] outbox& pair() const { return *other; }

  /// Room for one record of a run whose records all have `bytes` > 0 bytes, behind all that the outbox was given. In
  /// requests of the program this may first execute others' requests (after poll_every of its own, or one buffer, and
  /// while it waits for credit, with `from` in reports); in a handler, and for answers, it never waits.
  std::byte* append(run_tag next_tag, std::uint32_t bytes, call_site from = {}) {
    if (!takes(next_tag)) [[unlikely]]
      return append_slowly({next_tag, bytes, bytes}, from);
    return next(bytes);
  }
  /// Room for one record of a run whose records vary in size.
  std::byte* append_varying(run_tag next_tag, std::size_t bytes, call_site from = {}) {
    if (!takes(next_tag, bytes)) [[unlikely]]
      return append_slowly({next_tag, bytes}, from);
    ++count;
    return std::exchange(cursor, cursor + bytes);
  }
  /// Room without waiting or executing anything, in the program, too: null where the pair has no credit, and
  /// nothing has been appended. `each`: 0 for a run whose records vary, else `bytes`.
  std::byte* try_append(run_tag next_tag, std::size_t bytes, std::uint32_t each) {
    bool const fits = tag == next_tag && !blocked && bytes <= room_until_poll();
    if (!fits) return try_append_slowly({next_tag, bytes, each});
    count += each == 0 ? 1 : 0;
    return std::exchange(cursor, cursor + bytes);
  }
  /// Takes back the record of `bytes` that append_varying gave last, as long as nothing else has been called.
  void retract(std::size_t bytes) {
    if (path != 0) return retract_routed(bytes);
    filled().cursor -= bytes;
    --filled().count;
  }

  /// Sends one record at once, behind what the outbox was given. `entry` begins with run_header::wire_bytes of room.
  void send_urgent(run_tag its_tag, std::span<std::byte> entry, call_site from = {});
  /// Bytes of the largest record that has room, with its header, in a slot of the transport between processes of a
  /// host.
  static constexpr std::size_t most_in_slot = 104;
  /// Sends one record of varying size at once, behind what the outbox was given. `fill` writes it to where it is told,
  /// calls nothing else and does not throw.
  template <class Fill>
  void send_at_once(run_tag its_tag, std::size_t bytes, Fill const& fill, call_site from = {}) {
    if (bytes <= most_in_slot) {
      std::byte entry[run_header::wire_bytes + most_in_slot];
      fill(entry + run_header::wire_bytes);
      return send_urgent(its_tag, std::span(entry, run_header::wire_bytes + bytes), from);
    }
    std::byte* const alone = open_alone(bytes, from);
    if (alone != nullptr) return fill(alone), send_alone(its_tag, bytes);
    fill(append_varying(its_tag, bytes, from));
    flush();
  }
  /// Sends one record if the pair has credit for it at once; else false, and nothing has happened. Keeps no order with
  /// what the outbox holds. The record has at most 46 bytes.
  bool offer(run_tag its_tag, std::span<std::byte> entry);
  /// Hands what it holds to the transport.
  void flush(flush_reason why = flush_reason::urgent);

  /// The location that sends.
  [[nodiscard]] location& home() const;

  /// As append and append_varying where the outbox does not take the record as it is. Of a question: there is
  /// room to note the place of the answer, which the caller does once the record is filled.
  std::byte* append_slowly(record_form const& next, call_site from);
  std::byte* try_append_slowly(record_form const& next);
  void retract_routed(std::size_t bytes);
  [[nodiscard]] std::byte* open_alone(std::size_t bytes, call_site from);
  void send_alone(run_tag its_tag, std::size_t bytes);

  /// A record of the open run's fixed size can go behind the last one as things are.
  [[nodiscard]] bool takes(run_tag next) const { return tag == next && takes_of_its_only_tag(); }
  /// As that, where the stream sends runs of one tag alone, which have fixed sizes.
  [[nodiscard]] bool takes_of_its_only_tag() const { return cursor <= last; }
  /// Where the next record goes.
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
  /// Records in the open run; 0: no run is open.
  [[nodiscard]] std::uint32_t open_records() const;
  [[nodiscard]] std::size_t used() const { return static_cast<std::size_t>(cursor - data); }
};

static_assert(sizeof(outbox) == 128);

/// Room for one record of a request, where others may enter the location: in a buffer of the caller's stream that is
/// open already, as a rule; else inside the gate. Fill it, call nothing else, and let this end.
class placed {
 public:
  /// As outbox::append.
  placed(location& here, outbox& box, record_form const& next, call_site from);
  ~placed();
  placed& operator=(placed&&) = delete;

  [[nodiscard]] std::byte* at() const { return at_; }

 private:
  stream& of_;
  std::byte* at_;
  bool const slowly_;  // no buffer was open for it: inside the gate
  admission const inside_;
};

}  // namespace sheaf::detail
