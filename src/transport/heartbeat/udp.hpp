// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "transport/heartbeat/pulse.hpp"

namespace sheaf::heartbeat {

/// The number 127.0.0.1: this host, on every host.
inline constexpr std::uint32_t loopback = 0x7f000001;

/// A network interface of this host that has an IPv4 address and is up.
struct interface {
  std::string name;
  std::uint32_t ip = 0;
};
std::vector<interface> interfaces();

/// The addresses at which other hosts may reach this one, at most `most`: all but loopback's, or those of the interface
/// with that name. Empty: there are none.
std::vector<std::uint32_t> reachable(std::vector<interface> const& all, std::string const& name, std::size_t most);

/// "eth0 (10.0.0.1), lo (127.0.0.1)".
std::string describe(std::vector<interface> const& all);

constexpr address make_address(std::uint32_t ip, std::uint16_t port) noexcept {
  return address{std::uint64_t{ip} << 16 | port};
}

/// A datagram that has come, of any length up to a little more than ours.
struct incoming {
  address from{};
  std::size_t size = 0;
};

/// A UDP socket on a port that the system chooses. Closed on exec. No call blocks.
class udp_socket {
 public:
  /// At all addresses of the host (ip 0), or at one. Throws std::system_error.
  explicit udp_socket(std::uint32_t ip);
  udp_socket(udp_socket const&) = delete;
  udp_socket& operator=(udp_socket const&) = delete;
  ~udp_socket();

  [[nodiscard]] int descriptor() const noexcept { return socket_; }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  /// Sends, or does not: nothing is told about it.
  void send(address to, std::span<std::byte const> bytes) noexcept;

  /// The next datagram that has come; longer ones are cut.
  std::optional<incoming> receive(std::span<std::byte> room) noexcept;

  /// The next address that has refused a datagram: its host answers that it has no such socket.
  std::optional<address> refused() noexcept;

 private:
  int socket_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace sheaf::heartbeat
