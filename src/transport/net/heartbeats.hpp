// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sheaf/base/options.hpp"
#include "transport/heartbeat/heart.hpp"
#include "transport/net/meeting.hpp"

namespace sheaf::net {

/// Where a process hears heartbeats; told to all others at start.
struct heartbeat_place {
  static constexpr std::size_t most_addresses = 4;

  std::uint64_t key = 0;  ///< that of process 0 becomes the job's
  std::uint32_t ips[most_addresses] = {};
  std::uint32_t count = 0;  ///< of ips
  std::uint16_t port = 0;
};

/// Whether a job of these processes has heartbeats: where the setting says so, or they are on several hosts.
bool wants_heartbeats(options const& settings, std::span<presence const> all);

/// Where process `self` sends heartbeats to, by process: all the addresses that each has told, and loopback, too, for
/// those on its own host.
std::vector<std::vector<heartbeat::address>> heartbeat_routes(std::span<presence const> all,
                                                              std::span<heartbeat_place const> places,
                                                              std::uint32_t self);

/// What process `self` says about a loss that it has found.
std::string text_of(heartbeat::finding const& what, std::span<presence const> all, std::uint32_t self,
                    unsigned limit_s);

/// What it says about a process that it has never heard.
std::string text_of_never_heard(std::uint32_t process, std::span<presence const> all, std::uint32_t self);

/// Collective. The heartbeats of this process until it is destroyed; null where the job has none. They end the process
/// where they find another one lost. Throws option_error where the system gives no socket or no thread. `job` outlives
/// the result.
std::unique_ptr<heartbeat::heart> start_heartbeats(options const& settings, meeting const& job);

}  // namespace sheaf::net
