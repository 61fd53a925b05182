// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sheaf/transport/side_wire.hpp"
#include "transport/host/segment.hpp"

/// Messages as frames on a stream of bytes: a length of 4 bytes, then the message.
namespace sheaf::side {

using frame_length = std::uint32_t;

/// One direction of a connection: what the socket does not take at once waits here. Not for several threads at a time.
class frame_writer {
 public:
  frame_writer() = default;
  explicit frame_writer(host::descriptor socket) noexcept : socket_(std::move(socket)) {}

  [[nodiscard]] int socket() const noexcept { return socket_.number(); }
  [[nodiscard]] bool is_open() const noexcept { return static_cast<bool>(socket_); }
  [[nodiscard]] bool waits() const noexcept { return begin_ != waiting_.size(); }

  /// Sends the message, from where it is as far as the socket takes it. False: the connection is lost; errno says why.
  [[nodiscard]] bool send(std::span<std::byte const> head, std::span<std::byte const> body);
  /// Sends what waits, as far as the socket takes it. False: as above.
  [[nodiscard]] bool send_waiting();

 private:
  host::descriptor socket_;
  std::vector<std::byte> waiting_;
  std::size_t begin_ = 0;  ///< of what waits
};

/// The other direction: cuts what has come into messages.
class frame_reader {
 public:
  enum class state : std::uint8_t { open, idle, ended };

  explicit frame_reader(host::descriptor socket) : socket_(std::move(socket)), room_(room_bytes) {}

  [[nodiscard]] int socket() const noexcept { return socket_.number(); }

  /// Reads once. Idle: nothing has come. Ended: nothing will; errno says why, or is 0.
  [[nodiscard]] state read();
  /// The next whole message, valid until the next read; nothing: none is there. `damaged` then says whether its length
  /// is impossible.
  [[nodiscard]] std::optional<std::span<std::byte const>> next();
  [[nodiscard]] bool damaged() const noexcept { return damaged_; }

 private:
  static constexpr std::size_t room_bytes = 4 * (detail::side_wire::most_bytes + sizeof(frame_length));

  host::descriptor socket_;
  std::vector<std::byte> room_;
  std::size_t begin_ = 0, end_ = 0;  ///< what is in it
  bool damaged_ = false;
};

}  // namespace sheaf::side
