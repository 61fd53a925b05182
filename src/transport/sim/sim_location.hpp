// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "sheaf/base/location_id.hpp"
#include "transport/sim/fiber.hpp"
#include "transport/sim/sim_link.hpp"
#include "transport/sim/step_set.hpp"

namespace sheaf::detail {

/// What the simulator knows of one location. It is running, able to run (its step is possible), waiting, or finished.
struct sim_location {
  location_id id{};
  bool news = false;     ///< something came since the last idle returned, so the next one does not wait
  bool watched = false;  ///< its run saw a link that has entries on it: was refused, or asked for a backlog
  bool waiting = false;
  bool finished = false;
  std::uint32_t empty_polls = 0;  ///< receives in a row that found nothing
  std::uint32_t preemptions = 0;  ///< how many more it may suffer in a plain play
  std::uint64_t deadline = 0;     ///< of its last wait; 0: it had none
  std::size_t in_flight = 0;      ///< bytes of its buffers of requests whose credit has not come back
  step run;
  std::array<ready_links, traffic_classes> ready;     ///< by class
  std::unordered_map<std::uint64_t, sim_link> links;  ///< to the locations that it sent to, by these and class
  fiber flow;
};

}  // namespace sheaf::detail
