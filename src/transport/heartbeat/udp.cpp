// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/heartbeat/udp.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

namespace sheaf::heartbeat {
namespace {

sockaddr_in to_system(std::uint32_t ip, std::uint16_t port) noexcept {
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons(port);
  a.sin_addr.s_addr = htonl(ip);
  return a;
}

}  // namespace

std::vector<std::uint32_t> reachable(std::size_t most) {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return {};
  std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> const owner(first, &freeifaddrs);
  std::vector<std::uint32_t> all;
  for (ifaddrs const* each = first; each != nullptr && all.size() < most; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    if ((each->ifa_flags & (IFF_UP | IFF_LOOPBACK)) != IFF_UP) continue;
    sockaddr_in a{};
    std::memcpy(&a, each->ifa_addr, sizeof a);
    all.push_back(ntohl(a.sin_addr.s_addr));
  }
  return all;
}

udp_socket::udp_socket() : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  sockaddr_in own = to_system(INADDR_ANY, 0);
  socklen_t length = sizeof own;
  if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr*>(&own), length) != 0 ||
      getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &length) != 0) {
    std::system_error const problem(errno, std::generic_category(), "socket");
    if (socket_ >= 0) close(socket_);
    throw problem;
  }
  port_ = ntohs(own.sin_port);
}

udp_socket::~udp_socket() { close(socket_); }

void udp_socket::send(address to, std::span<std::byte const> bytes) noexcept {
  auto const number = static_cast<std::uint64_t>(to);
  sockaddr_in const a = to_system(static_cast<std::uint32_t>(number >> 16), static_cast<std::uint16_t>(number));
  static_cast<void>(sendto(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr const*>(&a), sizeof a));
}

std::optional<std::span<std::byte const>> udp_socket::receive(std::span<std::byte> room) noexcept {
  ssize_t const got = recv(socket_, room.data(), room.size(), 0);
  if (got < 0) return {};
  return room.first(static_cast<std::size_t>(got));
}

}  // namespace sheaf::heartbeat
