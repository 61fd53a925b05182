// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sheaf::net {

/// One send or receive that has ended. `source` and `bytes` mean something for receives only.
struct completion {
  std::uint32_t slot = 0;
  std::uint32_t source = 0;
  std::size_t bytes = 0;
};

enum class direction : std::uint8_t { send = 0, receive = 1 };

/// Which threads of a process may use its wire: the one that opened it and no other thread may exist, that one, or all
/// in turn. MPI's SINGLE, FUNNELED, and SERIALIZED or MULTIPLE.
enum class thread_level : std::uint8_t { single, first_only, one_at_a_time };

/// What the transport needs of a message-passing library, and nothing more: nonblocking messages between processes,
/// named by slots that the caller numbers from 0, sends and receives apart. A module per MPI library implements it, and
/// the tests have a fake. It promises neither which of several posted receives completes first, nor when a send ends.
///
/// Used by one thread at a time, as `level` permits. What fails inside ends the job with a line on stderr.
class wire {
 public:
  [[nodiscard]] virtual thread_level level() const noexcept = 0;

  [[nodiscard]] virtual std::uint32_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t size() const noexcept = 0;

  /// Whether a look that finds nothing has already let other processes have the core.
  [[nodiscard]] virtual bool yields() const noexcept = 0;

  /// Starts sending `packet`, which stays untouched until the slot is reported. At most 2^31−1 bytes. True: it has
  /// ended already, and will not be reported.
  [[nodiscard]] virtual bool start_send(std::uint32_t slot, std::uint32_t dest, std::span<std::byte const> packet) = 0;

  /// Offers `room` to a packet of any source; a packet that is longer ends the job.
  virtual void start_receive(std::uint32_t slot, std::span<std::byte> room) = 0;

  /// Takes back the receives that have not ended; their rooms are the caller's again.
  virtual void withdraw_receives() noexcept = 0;

  /// Which of `count` slots from `first` on have ended; at most done.size() are looked at. Slots without a started
  /// operation are passed over; what is reported is free to be started again. May report fewer than have ended.
  virtual std::size_t test(direction which, std::uint32_t first, std::uint32_t count, std::span<completion> done) = 0;

  /// Collective: `all` becomes everybody's `mine` in the order of ranks. Blocks.
  virtual void exchange(std::span<std::byte const> mine, std::span<std::byte> all) = 0;

  /// A barrier by polling: true once every process has called it; the next call after that begins the next barrier.
  virtual bool all_arrived() = 0;

  /// Ends all processes of the job as failed; says on stderr which location does so, and why.
  virtual void abort(std::uint32_t location, std::string_view reason) noexcept = 0;

  /// Gives everything back, this object too. Nothing may be under way.
  virtual void close() noexcept = 0;

 protected:
  ~wire() = default;
};

/// Counted up with every change of `wire`.
inline constexpr int wire_version = 4;

/// What a module exports as `sheaf_open_wire`: the wire of all processes started together, of the level asked for where
/// the program has not started MPI itself. Null with a text in `problem` where there can be none.
using open_wire_function = wire*(int version, thread_level asked, std::span<char> problem);
inline constexpr char const* open_wire_symbol = "sheaf_open_wire";

}  // namespace sheaf::net
