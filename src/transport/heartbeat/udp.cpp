// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/heartbeat/udp.hpp"

// The system's error queue needs these in this order.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
// clang-format off
#include <linux/errqueue.h>
// clang-format on

#include <algorithm>
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

address from_system(sockaddr_in const& a) noexcept { return make_address(ntohl(a.sin_addr.s_addr), ntohs(a.sin_port)); }

[[noreturn]] void fail(int socket, char const* call) {
  std::system_error const problem(errno, std::generic_category(), call);
  if (socket >= 0) close(socket);
  throw problem;
}

/// Whether what stands in this message's control part is a refusal by the other host.
bool is_refusal(msghdr& message) noexcept {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != IPPROTO_IP || c->cmsg_type != IP_RECVERR) continue;
    sock_extended_err e{};
    std::memcpy(&e, CMSG_DATA(c), sizeof e);
    return e.ee_origin == SO_EE_ORIGIN_ICMP && e.ee_errno == ECONNREFUSED;
  }
  return false;
}

}  // namespace

std::vector<interface> interfaces() {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return {};
  std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> const owner(first, &freeifaddrs);
  std::vector<interface> all;
  for (ifaddrs const* each = first; each != nullptr; each = each->ifa_next) {
    bool const usable = each->ifa_addr != nullptr && each->ifa_addr->sa_family == AF_INET;
    if (!usable || (each->ifa_flags & IFF_UP) == 0) continue;
    sockaddr_in a{};
    std::memcpy(&a, each->ifa_addr, sizeof a);
    all.push_back({each->ifa_name, ntohl(a.sin_addr.s_addr)});
  }
  return all;
}

std::vector<std::uint32_t> reachable(std::vector<interface> const& all, std::string const& name, std::size_t most) {
  std::vector<std::uint32_t> found;
  for (interface const& each : all) {
    bool const wanted = name.empty() ? each.ip >> 24 != loopback >> 24 : each.name == name;
    if (wanted && found.size() < most) found.push_back(each.ip);
  }
  return found;
}

std::string describe(std::vector<interface> const& all) {
  std::string text;
  for (interface const& each : all) {
    char number[INET_ADDRSTRLEN] = {};
    in_addr const ip{htonl(each.ip)};
    inet_ntop(AF_INET, &ip, number, sizeof number);
    text += (text.empty() ? "" : ", ") + each.name + " (" + number + ")";
  }
  return text.empty() ? "none" : text;
}

udp_socket::udp_socket(std::uint32_t ip) : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  if (socket_ < 0) fail(-1, "socket");
  int const yes = 1;
  if (setsockopt(socket_, IPPROTO_IP, IP_RECVERR, &yes, sizeof yes) != 0) fail(socket_, "setsockopt");
  sockaddr_in own = to_system(ip, 0);
  socklen_t length = sizeof own;
  if (bind(socket_, reinterpret_cast<sockaddr*>(&own), length) != 0) fail(socket_, "bind");
  if (getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &length) != 0) fail(socket_, "getsockname");
  port_ = ntohs(own.sin_port);
}

udp_socket::~udp_socket() { close(socket_); }

void udp_socket::send(address to, std::span<std::byte const> bytes) noexcept {
  auto const number = static_cast<std::uint64_t>(to);
  sockaddr_in const a = to_system(static_cast<std::uint32_t>(number >> 16), static_cast<std::uint16_t>(number));
  constexpr int tries = 2;  // the first call may tell of a refusal of another datagram, and send nothing
  for (int i = 0; i < tries; ++i) {
    if (sendto(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr const*>(&a), sizeof a) >= 0) return;
  }
}

std::optional<incoming> udp_socket::receive(std::span<std::byte> room) noexcept {
  sockaddr_in from{};
  socklen_t length = sizeof from;
  constexpr int tries = 16;  // a call may tell of a refusal of an earlier datagram instead
  for (int i = 0; i < tries; ++i) {
    ssize_t const got = recvfrom(socket_, room.data(), room.size(), 0, reinterpret_cast<sockaddr*>(&from), &length);
    if (got >= 0) return incoming{from_system(from), static_cast<std::size_t>(got)};
    if (errno == EAGAIN || errno == EWOULDBLOCK) break;
  }
  return {};
}

std::optional<address> udp_socket::refused() noexcept {
  for (;;) {
    sockaddr_in to{};
    alignas(cmsghdr) char control[512];
    msghdr message{};
    message.msg_name = &to;
    message.msg_namelen = sizeof to;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(socket_, &message, MSG_ERRQUEUE) < 0) return {};
    if (is_refusal(message)) return from_system(to);
  }
}

}  // namespace sheaf::heartbeat
