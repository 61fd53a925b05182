// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

#include "sheaf/transport/launch.hpp"
#include "transport/hybrid/process.hpp"
#include "transport/mpi/ending.hpp"
#include "transport/mpi/heartbeats.hpp"
#include "transport/mpi/meeting.hpp"

namespace sheaf {
namespace {

constexpr std::size_t slice_room = 64;  // so that a full buffer and its slice's header are one packet

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
  o.locations = mpi::threads_of(settings);
  o.buffer_bytes = settings.near_buffer_bytes;
  o.spin_polls = all.spins(settings);
  return o;
}

hybrid::neighbours neighbours_of(mpi::meeting const& all) {
  if (all.host.ranks.empty()) return {};
  hybrid::neighbours near{all.host.ranks, {}, &all.host.map.own()};
  for (std::size_t place = 0; place < near.ranks.size(); ++place) {
    near.roots.push_back(reinterpret_cast<host::process_root*>(all.host.map.root(place)));
  }
  return near;
}

void play(options const& settings, mpi::meeting const& all, location_body& body) {
  unsigned const threads = mpi::threads_of(settings);
  if (threads > 1) warn_of_binding(all, threads);
  bool const bound = settings.pin && threads > 1;
  std::vector<int> const cores = bound ? mpi::own_cores(all.all, all.line->rank()) : std::vector<int>();
  auto const heart = mpi::start_heartbeats(settings, all);
  body.agreed(mpi::agreed(settings, all.all));
  auto const finishing = [&](mpi::engine& e) { return mpi::begin_ending(settings, all, e, body, heart.get()); };
  hybrid::play_process(*all.line, all.sizes, local_settings(settings, all), cores, body, finishing, neighbours_of(all));
}

}  // namespace

void launch_mpi(options const& settings, location_body& body) {
  unsigned const threads = mpi::threads_of(settings);
  bool const single = threads == 1 && settings.progress == progress_kind::inlined;
  mpi::meeting const all = mpi::meet(settings, single ? mpi::thread_level::single : mpi::thread_level::one_at_a_time,
                                     slice_room, host::process_root::bytes(threads));
  mpi::or_end_job(all, [&] { play(settings, all, body); });
}

}  // namespace sheaf
