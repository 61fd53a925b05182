// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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
  udp_socket(udp_socket const&) = delete;
  udp_socket& operator=(udp_socket const&) = delete;
  ~udp_socket();

  [[nodiscard]] int descriptor() const noexcept { return socket_; }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  /// Sends, or does not: nothing is told about it.
  void send(address to, std::span<std::byte const> bytes) noexcept;

  /// The next datagram that has come, in `room`; a longer one is cut.
  std::optional<std::span<std::byte const>> receive(std::span<std::byte> room) noexcept;

 private:
  int socket_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace sheaf::heartbeat
