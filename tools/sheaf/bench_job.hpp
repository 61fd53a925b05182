// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <vector>

#include "sheaf/runtime/team.hpp"

namespace sheaf::tool {

/// What Sheaf does on this machine, in samples; on location 0, empty elsewhere.
struct job_samples {
  std::vector<double> round_trip_ns;  ///< a blocking request of 8 bytes, location 0 to the last and back
  std::vector<double> updates_m;      ///< 8-byte requests to random locations, millions a second and location
  std::vector<double> bulk_gb;   ///< requests of `block` bytes to the next location, gigabytes a second and location
  std::vector<double> fence_ns;  ///< a fence with nothing under way
};

/// Collective. Counts adapt to the machine: each kind takes about a second. Throws error where a result is wrong.
job_samples measure_job(team world, int repeats, std::size_t block);

}  // namespace sheaf::tool
