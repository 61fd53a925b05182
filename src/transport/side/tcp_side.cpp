// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/side/tcp_side.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/machine.hpp"
#include "base/time_limit.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::side {
namespace {

using heartbeat::heartbeat_place;

[[noreturn]] void refuse(char const* what) { throw std::system_error(errno, std::generic_category(), what); }

sockaddr_in to_system(heartbeat::address of) noexcept {
  auto const number = static_cast<std::uint64_t>(of);
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_addr.s_addr = htonl(static_cast<std::uint32_t>(number >> 16));
  a.sin_port = htons(static_cast<std::uint16_t>(number));
  return a;
}

std::string text_of(heartbeat::address of) {
  sockaddr_in const a = to_system(of);
  char text[INET_ADDRSTRLEN] = {};
  inet_ntop(AF_INET, &a.sin_addr, text, sizeof text);
  return std::string(text) + ":" + std::to_string(ntohs(a.sin_port));
}

/// Listens on a port that the system chooses, which it returns.
std::uint16_t listen_on(host::descriptor& to) {
  to = host::descriptor(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_in own{};
  own.sin_family = AF_INET;
  socklen_t length = sizeof own;
  auto* const any = reinterpret_cast<sockaddr*>(&own);
  if (!to || bind(to.number(), any, length) != 0 || listen(to.number(), SOMAXCONN) != 0 ||
      getsockname(to.number(), any, &length) != 0) {
    refuse("no TCP socket");
  }
  return ntohs(own.sin_port);
}

void without_delay(int socket) noexcept {
  int const yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/// Waits at most so long; errno says why it is not connected.
bool connect_within(int socket, sockaddr_in const& to, int limit_ms) noexcept {
  if (::connect(socket, reinterpret_cast<sockaddr const*>(&to), sizeof to) == 0) return true;
  if (errno != EINPROGRESS && errno != EINTR) return false;
  pollfd ready{socket, POLLOUT, 0};
  int const come = poll(&ready, 1, limit_ms);
  if (come <= 0) return errno = come == 0 ? ETIMEDOUT : errno, false;
  socklen_t length = sizeof errno;
  int problem = 0;
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &length);
  return errno = problem, problem == 0;
}

}  // namespace

tcp_side::tcp_side(net::bootstrap& job, std::span<net::presence const> all)
    : all_(all), self_(job.rank()), out_(job.size()), taken_(job.size()) {
  stop_ = host::descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  poll_ = host::descriptor(epoll_create1(EPOLL_CLOEXEC));
  call_ = host::descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_ || !poll_ || !call_) refuse("no descriptor");
  heartbeat_place own{.port = listen_on(listener_)};
  std::vector<std::uint32_t> ips = heartbeat::reachable(heartbeat_place::most_addresses);
  if (ips.empty()) ips.push_back(heartbeat::loopback);
  own.count = static_cast<std::uint32_t>(ips.size());
  std::ranges::copy(ips, own.ips);
  static_cast<void>(!getrandom(&own.key, sizeof own.key, 0));
  std::vector<heartbeat_place> places(job.size());
  job.exchange(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(places)));
  key_ = places[0].key;
  routes_ = heartbeat::heartbeat_routes(all, places, self_);
  watch(stop_.number(), what::stop, 0, EPOLLIN);
  watch(listener_.number(), what::listener, 0, EPOLLIN);
}

tcp_side::~tcp_side() { finish(); }

void tcp_side::start(host_memory& memory, side_events events) {
  events_ = std::move(events);
  server_ = detail::side_server_maker({*this, memory, self_ * all_[self_].threads, all_[self_].threads});
  detail::no_signals const while_it_starts;
  thread_ = std::thread([this] { run(); });
}

void tcp_side::finish() noexcept {
  ending_.store(true, std::memory_order_seq_cst);
  if (!thread_.joinable()) return;
  std::uint64_t const one = 1;
  static_cast<void>(!::write(stop_.number(), &one, sizeof one));
  thread_.join();
}

void tcp_side::watch(int descriptor, what kind, std::uint32_t number, std::uint32_t events, bool again) {
  epoll_event e{};
  e.events = events;
  e.data.u64 = std::uint64_t{static_cast<std::uint32_t>(kind)} << 32 | number;
  if (epoll_ctl(poll_.number(), again ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &e) != 0) refuse("epoll_ctl");
}

void tcp_side::send(std::uint32_t to_process, std::span<std::byte const> head, std::span<std::byte const> body) {
  outgoing& out = out_[to_process];
  std::lock_guard const hold(out.mutex);
  if (!out.line.is_open()) connect(to_process, out);
  bool const waited = out.line.waits();
  if (!out.line.send(head, body)) return lose(to_process, "send to");
  out.sent.fetch_add(1, std::memory_order_relaxed);
  if (!waited && out.line.waits()) watch(out.line.socket(), what::out, to_process, EPOLLOUT, true);
}

/// The system of the other one takes a connection for it, so this does not wait for that process.
host::descriptor tcp_side::connected(std::uint32_t to) const {
  constexpr int limit_ms = 5000;
  std::string tried;
  for (heartbeat::address const at : routes_[to]) {
    host::descriptor line(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (line && connect_within(line.number(), to_system(at), limit_ms)) return line;
    tried += (tried.empty() ? "" : ", ") + text_of(at) + " (" + std::strerror(errno) + ")";
  }
  throw error("sheaf: " + net::locations_of(all_, self_) + " cannot reach the memory of " +
              net::locations_of(all_, to) + " by TCP: tried " + tried +
              ". Let TCP through between the hosts, to any port");
}

void tcp_side::connect(std::uint32_t to, outgoing& out) {
  host::descriptor line = connected(to);
  without_delay(line.number());
  watch(line.number(), what::out, to, 0);
  out.line = frame_writer(std::move(line));
  greeting const hello{key_, self_, to};
  if (!out.line.send(std::as_bytes(std::span(&hello, 1)), {})) lose(to, "greet");
  used_.store(true, std::memory_order_relaxed);
}

/// The thread looks at `looks_`, too.
bool tcp_side::progress() {
  looks_.fetch_add(1, std::memory_order_relaxed);
  return take_all();
}

bool tcp_side::take_all() {
  std::unique_lock const alone(taking_, std::try_to_lock);
  if (!alone) return false;
  epoll_event ready[16];
  int const count = epoll_wait(poll_.number(), ready, std::size(ready), 0);
  bool moved = false;
  for (epoll_event const& e : std::span(ready, static_cast<std::size_t>(std::max(count, 0)))) {
    auto const number = static_cast<std::uint32_t>(e.data.u64);
    switch (static_cast<what>(e.data.u64 >> 32)) {
      case what::stop:
        break;
      case what::listener:
        meet_new();
        break;
      case what::in:
        moved = take_from(number) || moved;
        break;
      case what::out:
        send_waiting(number);
        break;
    }
  }
  if (std::exchange(news_, false)) events_.arrived();
  return moved;
}

void tcp_side::meet_new() {
  for (;;) {
    host::descriptor line(accept4(listener_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!line) return;
    without_delay(line.number());
    in_.push_back(std::make_unique<incoming>(std::move(line)));
    watch(in_.back()->line.socket(), what::in, static_cast<std::uint32_t>(in_.size() - 1), EPOLLIN);
    used_.store(true, std::memory_order_relaxed);
  }
}

/// Takes in what has come by this connection, up to a limit, so that others have their turn. One that does not belong
/// to the job is closed; one of the job that ends early ends the job.
bool tcp_side::take_from(std::size_t number) {
  constexpr int reads = 8;
  bool any = false;
  auto state = frame_reader::state::open;
  for (int i = 0; i < reads && state == frame_reader::state::open && in_[number] != nullptr; ++i) {
    incoming& from = *in_[number];
    state = from.line.read();
    bool stays = true;
    for (auto message = from.line.next(); message && stays; message = from.line.next()) {
      stays = take_message(from, *message);
      any = true;
    }
    if (stays && !from.line.damaged() && state != frame_reader::state::ended) continue;
    close_line(number, state);
  }
  return any;
}

void tcp_side::close_line(std::size_t number, frame_reader::state state) {
  std::uint32_t const process = in_[number]->process;
  bool const damaged = in_[number]->line.damaged();
  if (process != incoming::stranger && damaged) {
    fail(net::locations_of(all_, process) + " sent a damaged frame for one-sided memory");
  } else if (process != incoming::stranger && state == frame_reader::state::ended) {
    lose(process, "hear");
  }
  in_[number].reset();  // which takes it off the list of what is watched
}

bool tcp_side::take_message(incoming& from, std::span<std::byte const> message) {
  if (from.process != incoming::stranger) {
    if (server_->take(from.process, message)) news_ = true;
    taken_[from.process].fetch_add(1, std::memory_order_release);
    return true;
  }
  greeting hello;
  if (message.size() != sizeof hello) return false;
  std::memcpy(&hello, message.data(), sizeof hello);
  bool const ours = hello.key == key_ && hello.to == self_ && hello.from < all_.size() && hello.from != self_;
  if (ours) from.process = hello.from;
  return ours;
}

void tcp_side::send_waiting(std::uint32_t to) {
  outgoing& out = out_[to];
  std::lock_guard const hold(out.mutex);
  if (!out.line.send_waiting()) return lose(to, "send to");
  if (!out.line.waits()) watch(out.line.socket(), what::out, to, 0, true);
}

/// Near its end others of the job may close their connections a little earlier than this process ends.
void tcp_side::lose(std::uint32_t process, char const* doing) noexcept {
  std::string const why = errno == 0 ? "it has closed the connection" : std::strerror(errno);
  std::lock_guard const hold(loss_mutex_);
  if (!loss_.empty()) return;
  lost_at_ = std::chrono::steady_clock::now();
  loss_ = "cannot " + std::string(doing) + " " + net::locations_of(all_, process) +
          " by the connection for one-sided memory: " + why + ". Its process has ended, or was killed";
}

/// Whether a connection is lost. The job ends if it has not ended by itself after a while.
bool tcp_side::look_at_loss() {
  constexpr auto patience = std::chrono::seconds(2);
  std::string due;
  {
    std::lock_guard const hold(loss_mutex_);
    if (loss_.empty()) return false;
    if (std::chrono::steady_clock::now() - lost_at_ >= patience) due = loss_;
  }
  if (!due.empty() && !ending_.load(std::memory_order_seq_cst) && !std::exchange(told_, true)) fail(due);
  return true;
}

void tcp_side::fail(std::string_view why) noexcept { events_.fail(why); }

/// While the program looks by itself, for a while. True: who did has said that it looks no more.
bool tcp_side::stand_aside() {
  constexpr timespec at_most{0, 100'000};
  aside_.store(true, std::memory_order_seq_cst);
  pollfd called{call_.number(), POLLIN, 0};
  ppoll(&called, 1, &at_most, nullptr);
  aside_.store(false, std::memory_order_seq_cst);
  std::uint64_t calls = 0;
  return ::read(call_.number(), &calls, sizeof calls) > 0;
}

void tcp_side::rests() noexcept {
  constexpr std::uint64_t one = 1;
  if (aside_.load(std::memory_order_seq_cst)) static_cast<void>(!::write(call_.number(), &one, sizeof one));
}

/// Sleeps until something comes. While the program looks by itself, it looks only from time to time whether that has
/// stopped.
void tcp_side::run() {
  std::uint32_t seen = looks_.load(std::memory_order_relaxed);
  while (!ending_.load(std::memory_order_seq_cst)) {
    if (std::uint32_t const now = looks_.load(std::memory_order_seq_cst); now != seen) {
      seen = now;
      if (stand_aside()) seen = looks_.load(std::memory_order_seq_cst);
      continue;
    }
    constexpr int while_lost_ms = 100, looks_before_sleep = 40;
    pollfd come{poll_.number(), POLLIN, 0};
    poll(&come, 1, look_at_loss() ? while_lost_ms : -1);
    // What comes next is often near: to sleep and be woken costs more than to look a few times.
    for (int empty = 0; empty < looks_before_sleep && looks_.load(std::memory_order_relaxed) == seen &&
                        !ending_.load(std::memory_order_seq_cst);) {
      empty = take_all() ? 0 : empty + 1;
    }
  }
}

}  // namespace sheaf::side
