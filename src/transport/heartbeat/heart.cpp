// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/heartbeat/heart.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/ip_address.hpp"
#include "base/machine.hpp"
#include "base/stderr_pipe.hpp"
#include "base/time_limit.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::heartbeat {

namespace {

sockaddr_in to_system(address to) noexcept {
  auto const number = static_cast<std::uint64_t>(to);
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons(static_cast<std::uint16_t>(number));
  a.sin_addr.s_addr = htonl(static_cast<std::uint32_t>(number >> 16));
  return a;
}

using host::steady_ns;
using net::presence;
using namespace std::chrono_literals;

constexpr std::uint64_t second = 1'000'000'000;

std::string seconds(std::uint64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ns) / static_cast<double>(second));
  return text;
}

listener listener_for(net::meeting const& job, unsigned limit_s) {
  std::uint32_t const self = job.job->rank();
  return {
      [&job, self, limit_s](finding const& what) {
        if (what.told_by == self) sheaf::detail::write_last_line(text_of(what, job.all, self, limit_s));
      },
      [] { _exit(1); },
      [&job, self](std::uint32_t process) { sheaf::detail::write_line(text_of_never_heard(process, job.all, self)); }};
}

}  // namespace

pulse::pulse(std::uint32_t self, std::uint32_t size, std::uint64_t key, std::uint64_t limit_ns, std::uint64_t now)
    : self_(self),
      size_(size),
      key_(key),
      limit_ns_(limit_ns),
      period_ns_(period_for(limit_ns)),
      next_beat_ns_(now),
      last_tick_ns_(now) {
  for (std::uint32_t const process : {(self + 1) % size, (self + size - 1) % size}) {
    if (process == self || find(process) != nullptr) continue;
    neighbours_.push_back({.process = process, .heard_ns = now});
  }
}

pulse::neighbour* pulse::find(std::uint32_t process) noexcept {
  auto const at = std::ranges::find(neighbours_, process, &neighbour::process);
  return at == neighbours_.end() ? nullptr : &*at;
}

void pulse::received(std::uint64_t now, std::span<std::byte const> bytes) {
  std::optional<datagram> const d = read(bytes, key_, self_, size_);
  if (!d) return;
  if (d->kind == datagram_kind::end) {
    if (!found_) found_ = finding{d->about, 0, d->from};
    return;
  }
  neighbour* const sender = find(d->from);
  if (sender == nullptr) return;
  sender->heard = true;
  sender->heard_ns = now;
  if (d->kind == datagram_kind::goodbye) sender->left = true;
}

void pulse::send(std::uint32_t to, datagram_kind kind, courier const& out) {
  datagram const d{.key = key_, .from = self_, .to = to, .about = found_ ? found_->about : self_, .kind = kind};
  out(to, std::as_bytes(std::span(&d, 1)));
}

void pulse::tell_all(courier const& out) {
  for (std::uint32_t process = 0; process < size_; ++process) {
    if (process != self_) send(process, datagram_kind::end, out);
  }
}

std::uint64_t pulse::tick(std::uint64_t now, courier const& out) {
  // While this process itself stood still, it heard nobody, whoever was there to be heard.
  std::uint64_t const gap = now - std::exchange(last_tick_ns_, now);
  for (neighbour& each : neighbours_) {
    if (gap >= limit_ns_ / 2) each.heard_ns = std::min(now, each.heard_ns + gap);
  }
  if (now >= next_beat_ns_) {
    for (neighbour const& each : neighbours_) {
      if (!each.left) send(each.process, datagram_kind::beat, out);
    }
    next_beat_ns_ = now + period_ns_;
  }
  std::uint64_t next = next_beat_ns_;
  for (neighbour const& each : neighbours_) {
    if (each.left || !each.heard) continue;
    std::uint64_t const silent = now - each.heard_ns;
    if (silent >= limit_ns_ && !found_) found_ = finding{each.process, silent, self_};
    next = std::min(next, each.heard_ns + limit_ns_);
  }
  return std::max(next, now + 1);
}

std::optional<std::uint32_t> pulse::never_heard(std::uint64_t now) {
  for (neighbour& each : neighbours_) {
    bool const due = !each.heard && !each.left && now - each.heard_ns >= limit_ns_;
    if (due && !std::exchange(each.reported, true)) return each.process;
  }
  return {};
}

std::vector<std::uint32_t> reachable(std::size_t most) {
  std::vector<std::uint32_t> all;
  for (detail::ip_address const& one : detail::own_addresses()) {
    if (!detail::is_ipv4(one) || all.size() == most) break;  // those of IPv4 come first
    std::uint32_t ip = 0;
    std::memcpy(&ip, one.data() + 12, sizeof ip);
    all.push_back(ntohl(ip));
  }
  return all;
}

udp_socket::udp_socket() : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  sockaddr_in own = to_system(address{});
  socklen_t length = sizeof own;
  if (!socket_ || bind(socket_.number(), reinterpret_cast<sockaddr*>(&own), length) != 0 ||
      getsockname(socket_.number(), reinterpret_cast<sockaddr*>(&own), &length) != 0) {
    throw std::system_error(errno, std::generic_category(), "no UDP socket");
  }
  port_ = ntohs(own.sin_port);
}

void udp_socket::send(address to, std::span<std::byte const> bytes) noexcept {
  sockaddr_in const a = to_system(to);
  static_cast<void>(
      sendto(socket_.number(), bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr const*>(&a), sizeof a));
}

std::optional<std::span<std::byte const>> udp_socket::receive(std::span<std::byte> room) noexcept {
  ssize_t const got = recv(socket_.number(), room.data(), room.size(), 0);
  if (got < 0) return {};
  return room.first(static_cast<std::size_t>(got));
}

heart::heart(std::unique_ptr<udp_socket> line, roster who, std::uint64_t limit_ns, listener news)
    : line_(std::move(line)),
      who_(std::move(who)),
      news_(std::move(news)),
      out_([this](std::uint32_t process, std::span<std::byte const> bytes) {
        for (address const to : who_.places[process]) line_->send(to, bytes);
      }),
      pulse_(who_.self, static_cast<std::uint32_t>(who_.places.size()), who_.key, limit_ns, steady_ns()) {
  pulse_.tick(steady_ns(), out_);  // so that it is heard of, should it stop before its thread has a turn
  sheaf::detail::no_signals const while_it_starts;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (std::system_error const& refused) {
    throw std::system_error(refused.code(), std::string("no thread (") + sheaf::detail::limit_of_threads() + ")");
  }
}

heart::~heart() {
  stop_.store(true, std::memory_order_seq_cst);
  line_->send(make_address(loopback, line_->port()), {});  // wakes it; where that is lost, its next beat does
  thread_.join();
}

void heart::run() {
  for (;;) {
    std::uint64_t const now = steady_ns();
    take_news(now);
    if (stop_.load(std::memory_order_seq_cst)) break;  // after the datagram that wakes it at its end may have been read
    std::uint64_t const next = pulse_.tick(now, out_);
    if (pulse_.found()) return tell_of_loss();
    while (auto const process = pulse_.never_heard(now)) news_.never_heard(*process);
    constexpr std::uint64_t ms = 1'000'000;
    pollfd come{line_->number(), POLLIN, 0};
    poll(&come, 1, static_cast<int>((next - now + ms - 1) / ms));
  }
  pulse_.say_goodbye(out_);
}

void heart::take_news(std::uint64_t now) {
  constexpr int at_most = 1000;  // strangers must not keep it from beating
  std::array<std::byte, sizeof(datagram) + 1> room{};
  for (int i = 0; i < at_most; ++i) {
    auto const in = line_->receive(room);
    if (!in) break;
    pulse_.received(now, *in);
  }
}

void heart::tell_of_loss() {
  constexpr int rounds = 3;  // each may be lost
  finding const& what = *pulse_.found();
  bool const ours = what.told_by == who_.self;
  for (int i = 0; i < rounds && ours; ++i) {
    if (i != 0) std::this_thread::sleep_for(20ms);
    pulse_.tell_all(out_);
  }
  news_.lost(what);
  if (!ours) std::this_thread::sleep_for(300ms);  // else the launcher may end the one that found it before it says so
  news_.end();
}

bool wants_heartbeats(options const& settings, std::span<presence const> all) {
  if (settings.heartbeat_limit_s == 0 || all.size() == 1) return false;
  return settings.heartbeat_limit_s != options::of_transport ||
         std::any_of(all.begin(), all.end(), [&](presence const& each) { return !same_host(each, all[0]); });
}

std::vector<std::vector<address>> heartbeat_routes(std::span<presence const> all,
                                                   std::span<heartbeat_place const> places, std::uint32_t self) {
  std::vector<std::vector<address>> routes(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    heartbeat_place const& to = places[i];
    for (std::uint32_t k = 0; k < std::min<std::size_t>(to.count, heartbeat_place::most_addresses); ++k) {
      routes[i].push_back(make_address(to.ips[k], to.port));
    }
    auto const local = make_address(loopback, to.port);
    if (same_host(all[i], all[self]) && (routes[i].empty() || routes[i].front() != local)) routes[i].push_back(local);
  }
  return routes;
}

std::string text_of(finding const& what, std::span<presence const> all, std::uint32_t self, unsigned limit_s) {
  bool const one_host = same_host(all[what.about], all[self]);
  return "sheaf: " + locations_of(all, what.about) + (all[what.about].threads == 1 ? " is " : " are ") +
         "silent: no heartbeat has come to " + locations_of(all, self) + " for " + seconds(what.silent_ns) +
         "; the limit is " + std::to_string(limit_s) + " s (SHEAF_HEARTBEAT_LIMIT_S). " +
         (one_host ? "It has gone, or is"
                   : std::string("Host ") + all[what.about].host + " is down or a cable between it and host " +
                         all[self].host + " is cut, or the process has gone or is") +
         " stopped, by SIGSTOP or a debugger (for that set SHEAF_HEARTBEAT_LIMIT_S=0). This ends the job.";
}

std::string text_of_never_heard(std::uint32_t process, std::span<presence const> all, std::uint32_t self) {
  return "sheaf: warning: no heartbeat of " + locations_of(all, process) + " has ever come to " +
         locations_of(all, self) +
         ", so this connection is not watched. Let UDP through between the hosts, or set SHEAF_HEARTBEAT_LIMIT_S=0.";
}

std::unique_ptr<heart> start_heartbeats(options const& settings, net::meeting const& job) try {
  if (!wants_heartbeats(settings, job.all)) return {};
  auto line = std::make_unique<udp_socket>();
  std::vector<std::uint32_t> ips = reachable(heartbeat_place::most_addresses);
  if (ips.empty()) ips.push_back(loopback);
  heartbeat_place own{.count = static_cast<std::uint32_t>(ips.size()), .port = line->port()};
  static_cast<void>(!getrandom(&own.key, sizeof own.key, 0));
  std::ranges::copy(ips, own.ips);
  std::vector<heartbeat_place> places(job.all.size());
  job.job->exchange(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(places)));
  std::uint32_t const self = job.job->rank();
  constexpr unsigned usual = 30;
  unsigned const limit_s = settings.heartbeat_limit_s != options::of_transport ? settings.heartbeat_limit_s : usual;
  roster who{self, places[0].key, heartbeat_routes(job.all, places, self)};
  return std::make_unique<heart>(std::move(line), std::move(who), limit_s * second, listener_for(job, limit_s));
} catch (std::system_error const& e) {
  throw option_error("sheaf: " + locations_of(job.all, job.job->rank()) + " cannot send heartbeats: " + e.what() +
                     ". Correct that, or set SHEAF_HEARTBEAT_LIMIT_S=0 for all.");
}

}  // namespace sheaf::heartbeat
