// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <vector>

#include "sheaf/base/options.hpp"

namespace sheaf::tool {

/// What the machine itself does, in the samples of `repeats` measurements.
struct machine_floors {
  std::vector<double> ping_pong_ns;  ///< a round trip between two ends of the job, without Sheaf
  std::vector<double> copy_gb;       ///< memcpy of blocks of `block` bytes, gigabytes a second
  std::vector<double>
      increments_m;  ///< 8-byte additions to an array in the first cache by one thread, millions a second
  char const* ping_pong = "atomics";  ///< "atomics" between two threads, or "MPI messages"
};

/// Measures before the job starts. Over MPI collective over its processes; the samples are those of process 0, whose
/// partner is the last one. Throws error where an answer is wrong.
machine_floors measure_floors(options const& job, int repeats, std::size_t block);

}  // namespace sheaf::tool
