// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "transport/heartbeat/pulse.hpp"
#include "transport/host/segment.hpp"

namespace sheaf::heartbeat {

/// An IPv4 address and a port, as one number.
enum class address : std::uint64_t {};

/// The number 127.0.0.1: this host, on every host.
inline constexpr std::uint32_t loopback = 0x7f000001;

/// The IPv4 addresses at which other hosts may reach this one, at most `most`: those of all networks but loopback that
/// are up.
std::vector<std::uint32_t> reachable(std::size_t most);

constexpr address make_address(std::uint32_t ip, std::uint16_t port) noexcept {
  return address{std::uint64_t{ip} << 16 | port};
}

/// A UDP socket at all addresses of the host, on a port that the system chooses. Closed on exec. No call blocks.
class udp_socket {
 public:
  /// Throws std::system_error.
  udp_socket();

  [[nodiscard]] int number() const noexcept { return socket_.number(); }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  /// Sends, or does not: nothing is told about it.
  void send(address to, std::span<std::byte const> bytes) noexcept;

  /// The next datagram that has come, in `room`; a longer one is cut.
  std::optional<std::span<std::byte const>> receive(std::span<std::byte> room) noexcept;

 private:
  host::descriptor socket_;
  std::uint16_t port_ = 0;
};

/// What a heart needs to know of its job.
struct roster {
  std::uint32_t self = 0;
  std::uint64_t key = 0;
  std::vector<std::vector<address>> places;  ///< by process: where to send to; all of them are tried
};

/// What becomes of a heart's findings; called on its thread.
struct listener {
  std::function<void(finding const&)> lost;        ///< says so, when the others have been told, unless they told us
  std::function<void()> end;                       ///< after that; ends the process
  std::function<void(std::uint32_t)> never_heard;  ///< a process that is not watched
};

/// The thread of a process that sends and hears heartbeats. It blocks all signals, sleeps in poll(), and calls neither
/// MPI nor anything of the message path.
class heart final : private courier {
 public:
  /// Throws std::system_error where there can be no thread.
  heart(std::unique_ptr<udp_socket> line, roster who, std::uint64_t limit_ns, listener news);
  heart(heart const&) = delete;
  heart& operator=(heart const&) = delete;
  /// Says goodbye to the neighbours; ends the thread and closes the socket.
  ~heart();

 private:
  /// To every place of a process.
  void send(std::uint32_t process, std::span<std::byte const> bytes) override;
  void run();
  void take_news(std::uint64_t now);
  void tell_of_loss();

  std::unique_ptr<udp_socket> const line_;
  roster const who_;
  listener const news_;
  std::atomic<bool> stop_{false};
  host::descriptor const alarm_;  ///< wakes the thread
  pulse pulse_;
  std::thread thread_;
};

}  // namespace sheaf::heartbeat
