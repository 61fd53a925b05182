// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/hybrid/process.hpp"
#include "transport/mpi/ending.hpp"
#include "transport/mpi/heartbeats.hpp"
#include "transport/mpi/meeting.hpp"

namespace sheaf {
namespace {

constexpr std::size_t slice_room = 64;  // so that a full buffer and its slice's header are one packet

void check_level(mpi::wire const& line, unsigned threads) {
  if (threads == 1 || line.level() != mpi::thread_level::single) return;
  throw option_error("sheaf: SHEAF_THREADS is " + std::to_string(threads) +
                     ", but MPI was started for processes of one thread (MPI_THREAD_SINGLE, or MPI_THREAD_FUNNELED on "
                     "another thread). Start it with MPI_Init_thread and MPI_THREAD_SERIALIZED, or let Sheaf start it, "
                     "or set SHEAF_THREADS=1");
}

/// Launchers often bind each process to one core, where its threads take turns. Told once.
void warn_of_binding(mpi::meeting const& all, unsigned threads) {
  static std::atomic<bool> told{false};
  auto const allowed = static_cast<unsigned>(CPU_COUNT(&all.all[0].cores));
  auto const online = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  if (all.line->rank() != 0 || allowed >= std::min(threads, online) || told.exchange(true)) return;
  std::fprintf(
      stderr,
      "sheaf: warning: the launcher binds each process to %u of %u cores, but it has %u threads "
      "(SHEAF_THREADS); tell the launcher to bind no process (Open MPI: --bind-to none, MPICH: -bind-to none)\n",
      allowed, online, threads);
}

/// The settings of the threads of one process.
options local_settings(options const& settings, mpi::meeting const& all) {
  options o = settings;
  o.locations = settings.threads;
  o.buffer_bytes = settings.near_buffer_bytes;
  o.spin_polls = all.spins(settings);
  return o;
}

}  // namespace

void launch_hybrid(options const& settings, location_body& body) {
  if (settings.threads == 1) return launch_mpi(settings, body);
  mpi::meeting const all = mpi::meet(settings, mpi::thread_level::one_at_a_time, slice_room);
  check_level(*all.line, settings.threads);
  mpi::check_progress(*all.line, settings);
  warn_of_binding(all, settings.threads);
  std::vector<int> const cores = settings.pin ? mpi::own_cores(all.all, all.line->rank()) : std::vector<int>();
  auto const heart = mpi::start_heartbeats(settings, all);
  body.agreed(mpi::agreed(settings, all.all));
  auto const finishing = [&](mpi::engine& e) { return mpi::begin_ending(settings, all, e, body, heart.get()); };
  hybrid::play_process(*all.line, all.sizes, local_settings(settings, all), cores, body, finishing, all.memory.rings());
}

}  // namespace sheaf
