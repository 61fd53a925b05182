// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/transport/launch.hpp"
#include "transport/mpi/ending.hpp"
#include "transport/mpi/heartbeats.hpp"
#include "transport/mpi/meeting.hpp"
#include "transport/mpi/mpi_endpoint.hpp"

namespace sheaf {

void launch_mpi(options const& settings, location_body& body) {
  bool const alone = settings.progress == progress_kind::inlined;
  mpi::meeting const all = mpi::meet(settings, alone ? mpi::thread_level::single : mpi::thread_level::one_at_a_time, 0);
  mpi::check_progress(*all.line, settings);
  unsigned const looks = all.spins(settings);
  mpi::patience const patience{(looks + mpi::looks_per_spin - 1) / mpi::looks_per_spin, settings.yield_polls};
  mpi::mpi_endpoint connection(*all.line, all.sizes, patience, all.memory.rings());
  auto const heart = mpi::start_heartbeats(settings, all);
  body.agreed(mpi::agreed(settings, all.all));
  body.run(connection);
  connection.finish(mpi::begin_ending(settings, all, connection.inner(), body, heart.get()));
  body.ending("closes its connection over MPI");
}

}  // namespace sheaf
