// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstdint>

#include "sheaf/base/location_id.hpp"
#include "transport/sim/fiber.hpp"
#include "transport/sim/link_table.hpp"
#include "transport/sim/sim_link.hpp"
#include "transport/sim/step_set.hpp"

namespace sheaf::detail {

/// What the simulator knows of one location. It is running, able to run (its step is possible), waiting, or finished.
struct sim_location {
  static constexpr std::uint32_t no_timer = ~std::uint32_t{0};

  location_id id{};
  bool news = false;     ///< something came since the last idle returned, so the next one does not wait
  bool watched = false;  ///< its run saw a link that has entries on it: was refused, or asked for a backlog
  bool waiting = false;
  bool finished = false;
  std::uint32_t empty_polls = 0;   ///< receives in a row that found nothing
  std::uint32_t preemptions = 0;   ///< how many more it may suffer in a plain play
  std::uint32_t timer = no_timer;  ///< its index in the timer heap
  std::uint64_t deadline = 0;
  step run;
  std::array<ready_links, 2> ready;  ///< by class
  link_table links;                  ///< to the locations it sent to
  fiber flow;
};

}  // namespace sheaf::detail
