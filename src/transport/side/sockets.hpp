// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "base/ip_address.hpp"
#include "transport/host/segment.hpp"

/// Sockets of the side wire. Nothing here blocks.
namespace sheaf::side {

using address = detail::ip_address;

/// Where a process listens; told to all others at start.
struct place {
  static constexpr std::size_t most_addresses = 8;

  std::uint64_t key = 0;  ///< that of process 0 becomes the job's
  address at[most_addresses] = {};
  std::uint32_t count = 0;  ///< of `at`
  std::uint16_t port = 0;
};
static_assert(std::is_trivially_copyable_v<place>);

struct destination {
  address at{};
  std::uint16_t port = 0;
};
/// "10.77.0.2:4711", "[fd00::2]:4711".
std::string text_of(destination const& to);

/// A socket that listens at all addresses, of IPv6, too, where the system has it; and its port. Throws
/// std::system_error.
host::descriptor listen_anywhere(std::uint16_t& port);

/// The next connection that waits there; none: errno says why.
host::descriptor accept_one(int listener) noexcept;

/// Begins to connect. Without a socket: errno says why.
host::descriptor begin_connection(destination const& to) noexcept;
/// Of a socket that can be written: 0 where it is connected, else why it is not.
int problem_of_connection(int socket) noexcept;

/// What the ends of a connection say first, each once. Anybody may connect, so nothing else is looked at before it.
struct greeting {
  static constexpr std::uint64_t our_mark = 0x6564697366616568u;

  std::uint64_t mark = our_mark;
  std::uint64_t key = 0;  ///< of the job
  std::uint32_t from = 0;
  std::uint32_t to = 0;  ///< addresses of hosts on other networks may be the same
};
static_assert(sizeof(greeting) == 24 && std::is_trivially_copyable_v<greeting>);

/// False: it did not leave as a whole, which a new connection never has reason for.
[[nodiscard]] bool send_greeting(int socket, greeting const& g) noexcept;

/// Reads a greeting, and nothing behind it.
class greeting_reader {
 public:
  enum class state : std::uint8_t { part, whole, closed };

  [[nodiscard]] state read(int socket) noexcept;
  [[nodiscard]] greeting get() const noexcept;

 private:
  std::array<std::byte, sizeof(greeting)> bytes_{};
  std::size_t have_ = 0;
};

/// What an event is about.
struct event_tag {
  enum class what : std::uint8_t { listener, stranger, call, line };

  what kind{};
  std::uint32_t number = 0;
};

/// Sockets that are watched, with tags; closing one ends that. For any thread.
class poller {
 public:
  poller();  ///< Throws std::system_error.

  [[nodiscard]] int number() const noexcept { return epoll_.number(); }
  /// False: the system refuses; errno says why. `events`: of epoll.
  [[nodiscard]] bool watch(int socket, event_tag tag, std::uint32_t events) noexcept {
    return control(EPOLL_CTL_ADD, socket, tag, events);
  }
  /// The socket is watched already.
  void change(int socket, event_tag tag, std::uint32_t events) noexcept {
    static_cast<void>(control(EPOLL_CTL_MOD, socket, tag, events));
  }

  struct event {
    event_tag tag;
    std::uint32_t events = 0;
  };
  /// What is ready now, in `room`.
  std::span<event const> ready(std::span<event> room) const noexcept;

 private:
  bool control(int operation, int socket, event_tag tag, std::uint32_t events) noexcept;

  host::descriptor epoll_;
};

}  // namespace sheaf::side
