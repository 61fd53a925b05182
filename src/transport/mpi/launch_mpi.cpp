// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/transport/launch.hpp"
#include "transport/mpi/meeting.hpp"
#include "transport/mpi/mpi_endpoint.hpp"

namespace sheaf {

void launch_mpi(options const& settings, location_body& body) {
  mpi::meeting const all = mpi::meet(settings, mpi::thread_level::single, 0);
  unsigned const looks = all.spins(settings);
  mpi::patience const patience{(looks + mpi::looks_per_spin - 1) / mpi::looks_per_spin, settings.yield_polls};
  mpi::mpi_endpoint connection(*all.line, all.sizes, patience);
  body.run(connection);
  connection.finish();
}

}  // namespace sheaf
