// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sheaf/transport/buffer.hpp"

namespace sheaf::detail {

/// What takes the messages of the side wire in. Called by any thread of the process: one at a time for each source, and
/// the messages of one source in order. Made before any location of the process runs, and destroyed after all have
/// ended. It does not wait for other processes; it may send. True: locations of this
/// process may wait for what has come.
class side_server {
 public:
  virtual ~side_server() = default;
  virtual bool take(std::uint32_t from_process, std::span<std::byte const> message) noexcept = 0;

  /// Of a message of `length` bytes the beginning has come: where its last bytes belong, if they may be stored there as
  /// they come, and `begin` has all before them. Empty: the message is to be taken as a whole.
  virtual std::span<std::byte> place_for(std::uint32_t /*from_process*/, std::span<std::byte const> /*begin*/,
                                         std::size_t /*length*/) noexcept {
    return {};
  }
  /// Takes such a message once its last bytes have been stored: `begin` is what precedes them.
  virtual bool take_placed(std::uint32_t /*from_process*/, std::span<std::byte const> /*begin*/) noexcept {
    return false;
  }
};

/// Brings messages from process to process beside all other traffic, and hands them over whatever the program does
/// there. Messages of one process to another arrive once, in the order of the calls. For any thread.
class side_wire {
 public:
  virtual ~side_wire() = default;

  static constexpr std::size_t most_bytes = (std::size_t{256} << 10) + 1024;  ///< of a message

  /// Sends `head` and `body` as one message to another process. Never waits for it: what the system does not take at
  /// once is copied, and sent later. Keeps neither.
  virtual void send(std::uint32_t to_process, std::span<std::byte const> head,
                    std::span<std::byte const> body = {}) = 0;
  /// Messages sent to a process, and taken in of one. Who has seen `sent` knows that the messages before it are
  /// counted.
  [[nodiscard]] virtual std::uint64_t sent(std::uint32_t to_process) const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t taken(std::uint32_t from_process) const noexcept = 0;
  /// Bytes for a process that are still here: who sends much bounds itself by that.
  [[nodiscard]] virtual std::size_t queued(std::uint32_t to_process) const noexcept = 0;
  /// Takes in what has come, and sends what is still here. True: something moved. False at once where another thread
  /// does this now.
  virtual bool progress() = 0;
  /// The job has failed: nothing is taken in any more once this has returned.
  virtual void quit() noexcept {}
  /// A location that has called progress() is about to sleep, and does not look any more.
  virtual void rests() noexcept {}
  /// How often something came that locations may wait for, or the last of what was queued for a process has left.
  /// Locations that sleep are woken then. One that is about to looks at this after it has let its bell be rung, and
  /// sleeps only where it has not changed since before the caller saw that it has to wait.
  [[nodiscard]] virtual std::uint64_t news() const noexcept { return 0; }
  /// Whether anything was ever sent or may have come: else nobody needs to look.
  [[nodiscard]] virtual bool is_used() const noexcept = 0;
  /// Throws job_aborted once the job has failed.
  virtual void check() = 0;
  /// Ends the job as failed.
  virtual void fail(std::string_view why) noexcept = 0;
  virtual side_server& server() = 0;
};

/// What a server is made from.
struct side_context {
  side_wire& wire;
  host_memory& memory;           ///< of this process
  std::uint32_t first_location;  ///< of this process
  std::uint32_t locations;
};

/// Makes the server of a process. Set during static initialization by the layer that has one; null: there is no side
/// wire.
using make_side_server = std::unique_ptr<side_server> (*)(side_context const&);
inline constinit make_side_server side_server_maker = nullptr;

}  // namespace sheaf::detail
