// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/process.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

#include "sheaf/base/error.hpp"
#include "transport/heartbeat/heart.hpp"
#include "transport/host/host_job.hpp"
#include "transport/net/net_endpoint.hpp"

namespace sheaf::net {
namespace {

constexpr std::uint32_t most_named = 8;

void rest_a_little() {
  constexpr timespec pause{0, 50'000};
  nanosleep(&pause, nullptr);
}

/// Sees to the connection while other locations of this process still play.
void tend(gateway& gate) {
  try {
    gate.progress(0);
  } catch (error const&) {  // the others know
  }
  rest_a_little();
}

/// Launchers often bind each process to one core, where its threads take turns. Told once.
void warn_of_binding(meeting const& all, unsigned threads) {
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
options local_settings(options const& settings, meeting const& all) {
  options o = settings;
  o.locations = threads_of(settings);
  o.buffer_bytes = settings.near_buffer_bytes;
  o.spin_polls = all.spins(settings);
  return o;
}

void play(options const& settings, meeting const& all, location_body& body) {
  unsigned const threads = threads_of(settings);
  if (threads > 1) warn_of_binding(all, threads);
  bool const bound = settings.pin && threads > 1;
  std::vector<int> const cores = bound ? own_cores(all.all, all.job->rank()) : std::vector<int>();
  auto const heart = heartbeat::start_heartbeats(settings, all);
  body.agreed(agreed(settings, all.all));
  play_process(*all.job, *all.line, all.sizes, local_settings(settings, all), cores, body, all.host, all.all);
}

}  // namespace

std::string text_of_missing(std::span<presence const> all, std::vector<std::uint32_t> const& missing,
                            unsigned limit_s) {
  std::string text = "the end of the job takes longer than " + std::to_string(limit_s) +
                     " s (SHEAF_FINISH_LIMIT_S), with all requests executed: ";
  if (missing.empty()) return text + "all processes have come to the last meeting, and MPI does not let them leave it";
  for (std::uint32_t i = 0; i < missing.size() && i < most_named; ++i) {
    text += (i == 0 ? "" : ", ") + locations_of(all, missing[i]);
  }
  if (missing.size() > most_named) text += " and " + std::to_string(missing.size() - most_named) + " more processes";
  return text + (missing.size() == 1 && all[missing[0]].threads == 1 ? " has" : " have") +
         " not come to the last meeting. They are stopped, or stand in code of the program that runs when a thread or "
         "an object of static storage ends";
}

last_meeting::last_meeting(engine& e, std::span<presence const> all, location_body& body, unsigned limit_s,
                           std::uint64_t grace_ns)
    : engine_(e), all_(all), body_(body), limit_s_(limit_s), grace_ns_(grace_ns) {}

void last_meeting::look(std::uint64_t now) {
  if (told_ || !body_.overdue()) return;
  std::uint32_t const self = engine_.job.rank();
  bool const begins = called_at_ == 0;
  if (begins) called_at_ = now;
  std::vector<std::uint32_t> absent;
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    if (i == self) continue;
    if (begins) engine_.call(i);
    if (!engine_.has_called(i)) absent.push_back(i);
  }
  bool const first = self == 0 || (absent.size() >= self && absent[self - 1] == self - 1);  // of those that are there
  if (now - called_at_ < (first ? grace_ns_ : 2 * grace_ns_)) return;
  told_ = true;
  engine_.job.abort(self * all_[self].threads, text_of_missing(all_, absent, limit_s_));
}

void play_process(bootstrap& job, wire& line, limits const& sizes, options const& local, std::vector<int> const& cores,
                  location_body& body, neighbours const& near, std::span<presence const> all) {
  std::unique_ptr<host::host_job> const shared = near.job(local, job.rank());
  host::host_job& siblings = *shared;
  locality const where(job.size(), local.locations, near.ranks, job.rank());
  std::vector<std::unique_ptr<net_endpoint>> endpoints(local.locations);  // outlive what holds their blocks
  gateway gate(job, line, sizes, siblings);
  auto const play = [&](std::uint32_t i) {
    endpoints[i] = std::make_unique<net_endpoint>(i, siblings, where, gate);
    body.run(*endpoints[i]);
    endpoints[i]->close();
  };
  host::play_together(local.locations, cores, play, "SHEAF_THREADS", [&] { tend(gate); });
  // Nobody has told the launcher, and the last meeting would wait for who has gone.
  if (std::string const why = siblings.loss(); !why.empty()) job.abort(job.rank() * local.locations, why);
  body.ending("waits for the other processes in the last meeting");
  last_meeting last(gate.inner(), all, body, local.finish_limit_s);
  gate.finish([&](std::uint32_t) {
    rest_a_little();
    auto const now = std::chrono::steady_clock::now().time_since_epoch();
    last.look(static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count()));
  });
  body.ending("closes its connection to the other processes");
}

}  // namespace sheaf::net

void sheaf::launch_mpi(options const& settings, location_body& body) {
  unsigned const threads = net::threads_of(settings);
  bool const single = threads == 1 && settings.progress == progress_kind::inlined;
  net::meeting all = net::meet(settings, single ? net::thread_level::single : net::thread_level::one_at_a_time);
  all.host.lost = [&all] { return net::text_of_lost(all.host, all.all); };
  net::or_end_job(all, [&] { net::play(settings, all, body); });
}
