// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "sheaf/transport/simulator.hpp"
#include "transport/sim/sim_endpoint.hpp"

namespace sheaf::detail {

/// What the simulator says of a job that cannot go on.
std::string deadlock_text(std::deque<sim_endpoint> const& locations);
std::string livelock_text(simulation const& settings, std::uint64_t quiet_steps,
                          std::deque<sim_endpoint> const& locations);

/// How to have this run again.
std::string replay_text(simulation const& settings, schedule const& decisions);

}  // namespace sheaf::detail
