// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/transport/launch.hpp"
#include "transport/net/heartbeats.hpp"
#include "transport/net/last_meeting.hpp"
#include "transport/net/meeting.hpp"
#include "transport/net/process.hpp"

namespace sheaf {
namespace {

/// Launchers often bind each process to one core, where its threads take turns. Told once.
void warn_of_binding(net::meeting const& all, unsigned threads) {
  static std::atomic<bool> told{false};
  auto const allowed = static_cast<unsigned>(CPU_COUNT(&all.all[0].cores));
  auto const online = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  if (all.job->rank() != 0 || allowed >= std::min(threads, online) || told.exchange(true)) return;
  std::fprintf(
      stderr,
      "sheaf: warning: the launcher binds each process to %u of %u cores, but it has %u threads "
      "(SHEAF_THREADS); tell the launcher to bind no process (Open MPI: --bind-to none, MPICH: -bind-to none)\n",
      allowed, online, threads);
}

/// The settings of the threads of one process.
options local_settings(options const& settings, net::meeting const& all) {
  options o = settings;
  o.locations = net::threads_of(settings);
  o.buffer_bytes = settings.near_buffer_bytes;
  o.spin_polls = all.spins(settings);
  return o;
}

net::neighbours neighbours_of(net::meeting const& all) {
  if (all.host.ranks.empty()) return {};
  net::neighbours near{
      all.host.ranks, {}, &all.host.map.own(), [&all] { return net::text_of_lost(all.host, all.all); }};
  for (std::size_t place = 0; place < near.ranks.size(); ++place) {
    near.roots.push_back(reinterpret_cast<host::process_root*>(all.host.map.root(place)));
  }
  return near;
}

void play(options const& settings, net::meeting const& all, location_body& body) {
  unsigned const threads = net::threads_of(settings);
  if (threads > 1) warn_of_binding(all, threads);
  bool const bound = settings.pin && threads > 1;
  std::vector<int> const cores = bound ? net::own_cores(all.all, all.job->rank()) : std::vector<int>();
  auto const heart = net::start_heartbeats(settings, all);
  body.agreed(net::agreed(settings, all.all));
  std::optional<net::last_meeting> last;
  auto const finishing = [&](net::engine& e) {  // the locations of this process have returned
    body.ending("waits for the other processes in the last meeting");
    last.emplace(e, all.all, body, settings.finish_limit_s);
    return [&last] {
      auto const now = std::chrono::steady_clock::now().time_since_epoch();
      last->look(static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count()));
    };
  };
  net::play_process(*all.job, *all.line, all.sizes, local_settings(settings, all), cores, body, finishing,
                    neighbours_of(all));
}

}  // namespace

void launch_mpi(options const& settings, location_body& body) {
  unsigned const threads = net::threads_of(settings);
  bool const single = threads == 1 && settings.progress == progress_kind::inlined;
  net::meeting const all = net::meet(settings, single ? net::thread_level::single : net::thread_level::one_at_a_time,
                                     host::process_root::bytes(threads));
  net::or_end_job(all, [&] { play(settings, all, body); });
}

}  // namespace sheaf
