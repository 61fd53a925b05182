// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/heartbeats.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/stderr_pipe.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::net {
namespace {

constexpr std::uint64_t second = 1'000'000'000;

using places_of_job = std::span<heartbeat_place const>;
std::string host_of(presence const& p) { return {p.host, strnlen(p.host, sizeof p.host)}; }

std::string seconds(std::uint64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ns) / static_cast<double>(second));
  return text;
}

/// Where this socket hears.
heartbeat_place place_of(heartbeat::udp_socket const& line) {
  heartbeat_place own;
  static_cast<void>(!getrandom(&own.key, sizeof own.key, 0));
  std::vector<std::uint32_t> ips = heartbeat::reachable(heartbeat_place::most_addresses);
  if (ips.empty()) ips.push_back(heartbeat::loopback);
  std::copy(ips.begin(), ips.end(), own.ips);
  own.count = static_cast<std::uint32_t>(ips.size());
  own.port = line.port();
  return own;
}

heartbeat::listener listener_for(meeting const& job, unsigned limit_s) {
  std::uint32_t const self = job.job->rank();
  return {
      [&job, self, limit_s](heartbeat::finding const& what) {
        if (what.told_by == self) sheaf::detail::write_last_line(text_of(what, job.all, self, limit_s));
      },
      [] { _exit(1); },
      [&job, self](std::uint32_t process) { sheaf::detail::write_line(text_of_never_heard(process, job.all, self)); }};
}

}  // namespace

bool wants_heartbeats(options const& settings, std::span<presence const> all) {
  if (settings.heartbeat_limit_s == 0 || all.size() == 1) return false;
  return settings.heartbeat_limit_s != options::of_transport ||
         std::any_of(all.begin(), all.end(), [&](presence const& each) { return !same_host(each, all[0]); });
}

std::vector<std::vector<heartbeat::address>> heartbeat_routes(std::span<presence const> all, places_of_job places,
                                                              std::uint32_t self) {
  std::vector<std::vector<heartbeat::address>> routes(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    heartbeat_place const& to = places[i];
    for (std::uint32_t k = 0; k < std::min<std::size_t>(to.count, heartbeat_place::most_addresses); ++k) {
      routes[i].push_back(heartbeat::make_address(to.ips[k], to.port));
    }
    auto const local = heartbeat::make_address(heartbeat::loopback, to.port);
    if (same_host(all[i], all[self]) && (routes[i].empty() || routes[i].front() != local)) routes[i].push_back(local);
  }
  return routes;
}

std::string text_of(heartbeat::finding const& what, std::span<presence const> all, std::uint32_t self,
                    unsigned limit_s) {
  bool const one_host = same_host(all[what.about], all[self]);
  return "sheaf: " + locations_of(all, what.about) + (all[what.about].threads == 1 ? " is " : " are ") +
         "silent: no heartbeat has come to " + locations_of(all, self) + " for " + seconds(what.silent_ns) +
         "; the limit is " + std::to_string(limit_s) + " s (SHEAF_HEARTBEAT_LIMIT_S). " +
         (one_host ? "It has gone, or is"
                   : "Host " + host_of(all[what.about]) + " is down or a cable between it and host " +
                         host_of(all[self]) + " is cut, or the process has gone or is") +
         " stopped, by SIGSTOP or a debugger (for that set SHEAF_HEARTBEAT_LIMIT_S=0). This ends the job.";
}

std::string text_of_never_heard(std::uint32_t process, std::span<presence const> all, std::uint32_t self) {
  return "sheaf: warning: no heartbeat of " + locations_of(all, process) + " has ever come to " +
         locations_of(all, self) +
         ", so this connection is not watched. Let UDP through between the hosts, or set SHEAF_HEARTBEAT_LIMIT_S=0.";
}

std::unique_ptr<heartbeat::heart> start_heartbeats(options const& settings, meeting const& job) try {
  if (!wants_heartbeats(settings, job.all)) return {};
  auto line = std::make_unique<heartbeat::udp_socket>();
  heartbeat_place const own = place_of(*line);
  std::vector<heartbeat_place> places(job.all.size());
  job.job->exchange(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(places)));
  std::uint32_t const self = job.job->rank();
  constexpr unsigned usual = 30;
  unsigned const limit_s = settings.heartbeat_limit_s != options::of_transport ? settings.heartbeat_limit_s : usual;
  heartbeat::roster who{self, places[0].key, heartbeat_routes(job.all, places, self)};
  return std::make_unique<heartbeat::heart>(std::move(line), std::move(who), limit_s * second,
                                            listener_for(job, limit_s));
} catch (std::system_error const& e) {
  throw option_error("sheaf: there can be no heartbeats of " + locations_of(job.all, job.job->rank()) + ": " +
                     e.what() + ". Correct that, or set SHEAF_HEARTBEAT_LIMIT_S=0 for all.");
}

}  // namespace sheaf::net
