// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <span>

#include "sheaf/transport/side_wire.hpp"

/// Messages as frames on a stream of bytes: a length of 4 bytes, then the message. The length 0 is a goodbye: nothing
/// follows, and the end of the stream is no loss.
namespace sheaf::side {

using frame_length = std::uint32_t;
inline constexpr frame_length goodbye_length = 0;

/// One direction of a connection: what the socket does not take at once waits here. Not for several threads at a time.
class frame_writer {
 public:
  [[nodiscard]] bool waits() const noexcept { return waiting_ != 0; }
  /// Bytes that the socket has not taken.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }

  /// Sends the message, from where it is as far as the socket takes it; negative: there is no socket yet, it waits.
  /// False: the connection is lost; errno says why, ENOMEM where what waits finds no memory.
  [[nodiscard]] bool send(int socket, std::span<std::byte const> head, std::span<std::byte const> body) noexcept;
  /// Sends what waits, as far as the socket takes it. False: as above.
  [[nodiscard]] bool send_waiting(int socket) noexcept;
  /// Sends a goodbye behind all that, as `send` does.
  [[nodiscard]] bool send_goodbye(int socket) noexcept { return send(socket, {}, {}); }

 private:
  /// A piece of what waits. Sent pieces are freed, however long the queue lasts.
  struct chunk {
    static constexpr std::size_t usual_bytes = std::size_t{64} << 10;
    std::unique_ptr<std::byte[]> bytes;
    std::size_t begin = 0, end = 0;
  };
  void add(std::span<std::byte const> bytes);

  std::deque<chunk> chunks_;
  std::size_t waiting_ = 0;
};

/// The other direction: cuts what has come into messages. It holds memory only while a message has come in part. Of a
/// long one the system copies the data to where they belong, if that is known.
class frame_reader {
 public:
  /// Of what `read` has found: more may be there; nothing more is there; a goodbye; the stream's end, for which errno
  /// is 0 or says why; a length that no message has.
  enum class state : std::uint8_t { open, idle, goodbye, ended, damaged };

  /// Where bytes lie for a moment; the same for all readers of a thread.
  static constexpr std::size_t room_bytes = std::size_t{256} << 10;
  /// A message of so many bytes is long.
  static constexpr std::size_t long_bytes = std::size_t{32} << 10;

  /// Reads once, at most `room`. `to`: a side_server, without the process; it gets each message that is complete.
  [[nodiscard]] state read(int socket, std::span<std::byte> room, auto&& to) {
    std::size_t got = 0;
    state const is = receive(socket, room, got);
    if (got == 0) return is;
    if (!left_.empty()) {
      std::size_t const mine = got < left_.size() ? got : left_.size();
      left_ = left_.subspan(mine);
      got -= mine;
      if (!left_.empty()) return is;
      std::span<std::byte const> const come(body_.get(), body_bytes_);
      body_bytes_ == length_ ? to.take(come) : to.take_placed(come);
      end_body();
    }
    if (got == 0) return is;
    after_long_ = false;
    state const cut = cut_up(room.first(got), to);
    return cut == state::open ? is : cut;
  }

 private:
  /// After long messages there are likely more: little is read beside them, so that most of the next one is not copied.
  static constexpr std::size_t room_beside_long = std::size_t{4} << 10;

  [[nodiscard]] state receive(int socket, std::span<std::byte> room, std::size_t& got);
  void begin_body(std::span<std::byte const> part, std::span<std::byte> place);
  void end_body() noexcept;

  /// False: the length has not come as a whole. `rest`: what follows it.
  [[nodiscard]] bool take_length(std::span<std::byte const>& rest) noexcept;

  state cut_up(std::span<std::byte const> rest, auto&& to) {
    while (take_length(rest)) {
      if (length_ == goodbye_length) return state::goodbye;
      if (length_ > detail::side_wire::most_bytes) return state::damaged;
      if (rest.size() < length_) {
        bool const is_long = length_ >= long_bytes && !rest.empty();
        return begin_body(rest, is_long ? to.place_for(rest, length_) : std::span<std::byte>()), state::open;
      }
      to.take(rest.first(length_));
      rest = rest.subspan(length_);
      length_have_ = 0;
    }
    return state::open;
  }

  frame_length length_ = 0;
  std::size_t length_have_ = 0;        ///< bytes of it
  std::unique_ptr<std::byte[]> body_;  ///< of a message that has come in part: what precedes its place, or all
  std::size_t body_bytes_ = 0;
  std::span<std::byte> left_;  ///< where the rest of it belongs
  bool after_long_ = false;
};

}  // namespace sheaf::side
