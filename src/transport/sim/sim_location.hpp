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

/// A thread of a location, as a fiber. It is running, able to run (its step is possible), waiting, or finished.
struct sim_thread {
  bool waiting = false;
  bool finished = false;
  std::uint64_t number = 0;         ///< in this run; 0: the location's own
  std::uint64_t deadline = 0;       ///< of its last wait; 0: it had none
  void const* waits_for = nullptr;  ///< who notifies this ends the wait
  step run;
  fiber flow;
};

/// What the simulator knows of one location; and its own thread.
struct sim_location : sim_thread {
  location_id id{};
  bool news = false;              ///< something came since the last idle returned, so the next one does not wait
  bool watched = false;           ///< its run saw a link that has entries on it: was refused, or asked for a backlog
  std::uint32_t at_bell = 0;      ///< threads that wait for what comes, or are about to
  std::uint32_t bells = 0;        ///< how often something came
  std::uint32_t attended = 0;     ///< of these, those that an outsider has heard of
  std::uint32_t empty_polls = 0;  ///< receives in a row that found nothing
  std::uint32_t preemptions = 0;  ///< how many more it may suffer in a plain play
  std::size_t in_flight = 0;      ///< bytes of its buffers of requests whose credit has not come back
  std::array<ready_links, traffic_classes> ready;     ///< by class
  std::unordered_map<std::uint64_t, sim_link> links;  ///< to the locations that it sent to, by these and class
};

}  // namespace sheaf::detail
