// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <vector>

#include "sheaf/base/options.hpp"
#include "transport/mpi/host_memory.hpp"
#include "transport/mpi/peer.hpp"
#include "transport/mpi/roll_call.hpp"
#include "transport/mpi/wire_loader.hpp"

namespace sheaf::mpi {

/// The processes of a job that have met and fit together.
struct meeting {
  wire_ptr line;
  limits sizes;
  std::vector<presence> all;
  host_memory memory;

  /// Empty polls before a location yields its core: the user's number, or none where locations outnumber the cores of
  /// their host.
  [[nodiscard]] unsigned spins(options const& settings) const;
};

/// Collective. Loads the wire and compares the processes. Throws option_error where they do not fit together, or where
/// the number of locations is not the one asked for. Packets have `spare` bytes more than the buffers.
meeting meet(options const& settings, thread_level level, std::size_t spare);

/// Throws option_error where SHEAF_PROGRESS lets other threads use MPI, but MPI does not.
void check_progress(wire const& line, options const& settings);

}  // namespace sheaf::mpi
