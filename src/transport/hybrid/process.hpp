// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <vector>

#include "sheaf/base/options.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/mpi/peer.hpp"
#include "transport/mpi/wire.hpp"

namespace sheaf::hybrid {

/// Plays the locations of one process, a thread each, and returns when everybody's have returned. `local.locations` is
/// their number, `cores` where to bind them (empty: they float).
void play_process(mpi::wire& line, mpi::limits const& sizes, options const& local, std::vector<int> cores,
                  location_body& body);

}  // namespace sheaf::hybrid
