// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sheaf/base/options.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/net/engine.hpp"
#include "transport/net/meeting.hpp"

namespace sheaf::net {

/// What a process says about those that do not come to the last meeting.
std::string text_of_missing(std::span<presence const> all, std::vector<std::uint32_t> const& missing, unsigned limit_s);

/// The last meeting of a job over a wire, when it takes too long: those that are there call out to each other
/// (engine::call), and the first of them says whom it has not heard.
class last_meeting {
 public:
  /// All outlive it. Grace, in nanoseconds, is how long to listen.
  last_meeting(engine& e, std::span<presence const> all, location_body& body, unsigned limit_s,
               std::uint64_t grace_ns = 2'000'000'000);

  /// In each round of engine::finish, with a time of a steady clock. Ends the job when the others have had their time.
  void look(std::uint64_t now);

 private:
  engine& engine_;
  std::span<presence const> const all_;
  location_body& body_;
  unsigned const limit_s_;
  std::uint64_t const grace_ns_;
  std::uint64_t called_at_ = 0;
  bool told_ = false;
};

/// Plays the locations of one process, a thread each, and returns when everybody's have returned. `local.locations` is
/// their number, `cores` where to bind them (empty: they float); `all` is for the texts of the last meeting, where
/// `body` can be overdue.
void play_process(bootstrap& job, wire& line, limits const& sizes, options const& local, std::vector<int> const& cores,
                  location_body& body, neighbours const& near = {}, std::span<presence const> all = {});

}  // namespace sheaf::net
