// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/side/sockets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace sheaf::side {
namespace {

using detail::is_ipv4;

/// In the system's form, of the family that the address is of.
struct system_address {
  explicit system_address(destination const& of) noexcept {
    if (is_ipv4(of.at)) {
      auto& a = reinterpret_cast<sockaddr_in&>(bytes);
      a.sin_family = AF_INET;
      a.sin_port = htons(of.port);
      std::memcpy(&a.sin_addr, of.at.data() + 12, 4);
      size = sizeof a;
    } else {
      auto& a = reinterpret_cast<sockaddr_in6&>(bytes);
      a.sin6_family = AF_INET6;
      a.sin6_port = htons(of.port);
      std::memcpy(&a.sin6_addr, of.at.data(), of.at.size());
      size = sizeof a;
    }
  }
  [[nodiscard]] sockaddr const* get() const noexcept { return reinterpret_cast<sockaddr const*>(&bytes); }

  sockaddr_storage bytes{};
  socklen_t size = 0;
};

void without_delay(int socket) noexcept {
  int const yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/// Of this family; without a socket: errno says why.
host::descriptor listen_of(int family, std::uint16_t& port) noexcept {
  host::descriptor made(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!made) return made;
  int const no = 0;
  sockaddr_in6 own{};  // which is larger than one of IPv4, and has its port at the same place
  static_assert(offsetof(sockaddr_in6, sin6_port) == offsetof(sockaddr_in, sin_port));
  own.sin6_family = static_cast<sa_family_t>(family);
  socklen_t size = family == AF_INET6 ? sizeof own : sizeof(sockaddr_in);
  if (family == AF_INET6) setsockopt(made.number(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  auto* const at = reinterpret_cast<sockaddr*>(&own);
  if (bind(made.number(), at, size) != 0 || listen(made.number(), SOMAXCONN) != 0 ||
      getsockname(made.number(), at, &size) != 0) {
    return {};
  }
  port = ntohs(own.sin6_port);
  return made;
}

}  // namespace

std::string text_of(destination const& to) {
  char text[INET6_ADDRSTRLEN] = {};
  bool const four = is_ipv4(to.at);
  inet_ntop(four ? AF_INET : AF_INET6, to.at.data() + (four ? 12 : 0), text, sizeof text);
  std::string whole(four ? "" : "[");
  whole += text;
  whole += four ? ":" : "]:";
  return whole + std::to_string(to.port);
}

host::descriptor listen_anywhere(std::uint16_t& port) {
  host::descriptor made = listen_of(AF_INET6, port);
  if (!made) made = listen_of(AF_INET, port);
  if (!made) throw std::system_error(errno, std::generic_category(), "no TCP socket");
  return made;
}

host::descriptor accept_one(int listener) noexcept {
  host::descriptor made(accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (made) without_delay(made.number());
  return made;
}

host::descriptor begin_connection(destination const& to) noexcept {
  system_address const at(to);
  host::descriptor made(socket(at.bytes.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!made) return made;
  without_delay(made.number());
  bool const begun = connect(made.number(), at.get(), at.size) == 0 || errno == EINPROGRESS || errno == EINTR;
  return begun ? std::move(made) : host::descriptor();
}

int problem_of_connection(int socket) noexcept {
  int problem = 0;
  socklen_t size = sizeof problem;
  if (getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &size) != 0) return errno;
  return problem;
}

bool send_greeting(int socket, greeting const& g) noexcept {
  return send(socket, &g, sizeof g, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof g;
}

greeting_reader::state greeting_reader::read(int socket) noexcept {
  ssize_t const got = recv(socket, bytes_.data() + have_, bytes_.size() - have_, MSG_DONTWAIT);
  if (got == 0) return errno = 0, state::closed;
  if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? state::part : state::closed;
  have_ += static_cast<std::size_t>(got);
  return have_ == bytes_.size() ? state::whole : state::part;
}

greeting greeting_reader::get() const noexcept {
  greeting g;
  std::memcpy(&g, bytes_.data(), sizeof g);
  return g;
}

poller::poller() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_) throw std::system_error(errno, std::generic_category(), "no epoll descriptor");
}

bool poller::control(int operation, int socket, event_tag tag, std::uint32_t events) noexcept {
  epoll_event e{};
  e.events = events;
  e.data.u64 = std::uint64_t{static_cast<std::uint8_t>(tag.kind)} << 32 | tag.number;
  return epoll_ctl(epoll_.number(), operation, socket, &e) == 0;
}

std::span<poller::event const> poller::ready(std::span<event> room) const noexcept {
  constexpr std::size_t at_once = 32;
  epoll_event come[at_once];
  int const count = epoll_wait(epoll_.number(), come, static_cast<int>(std::min(at_once, room.size())), 0);
  for (int i = 0; i < count; ++i) {
    std::uint64_t const tag = come[i].data.u64;
    room[static_cast<std::size_t>(i)] = {{static_cast<event_tag::what>(tag >> 32), static_cast<std::uint32_t>(tag)},
                                         come[i].events};
  }
  return room.first(static_cast<std::size_t>(std::max(count, 0)));
}

}  // namespace sheaf::side
