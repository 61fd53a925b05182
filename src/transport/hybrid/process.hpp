// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <vector>

#include "sheaf/base/options.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/mpi/engine.hpp"
#include "transport/mpi/peer.hpp"
#include "transport/mpi/wire.hpp"

namespace sheaf::hybrid {

/// Plays the locations of one process, a thread each, and returns when everybody's have returned. `local.locations` is
/// their number, `cores` where to bind them (empty: they float). Calls `finishing` when those of this process have
/// returned, before the others may leave; what that gives is called again and again until all leave. The memory of
/// `rings` outlives the call.
void play_process(mpi::wire& line, mpi::limits const& sizes, options const& local, std::vector<int> cores,
                  location_body& body, std::function<std::function<void()>(mpi::engine&)> const& finishing,
                  mpi::host_rings rings = {});

}  // namespace sheaf::hybrid
