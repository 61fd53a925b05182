// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/ending.hpp"

#include <chrono>

#include "transport/net/last_meeting.hpp"

namespace sheaf::net {

std::function<void()> begin_ending(options const& settings, meeting const& job, engine& e, location_body& body,
                                   heartbeat::heart* heart) {
  if (heart != nullptr) heart->finishing();
  body.ending("waits for the other processes in the last meeting");
  auto const last = std::make_shared<last_meeting>(e, job.all, body, settings.finish_limit_s);
  return [last] {
    auto const now = std::chrono::steady_clock::now().time_since_epoch();
    last->look(static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count()));
  };
}

}  // namespace sheaf::net
