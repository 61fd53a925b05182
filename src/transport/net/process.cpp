// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/process.hpp"

#include <time.h>

#include <algorithm>
#include <memory>
#include <string>

#include "sheaf/base/error.hpp"
#include "transport/host/crew.hpp"
#include "transport/net/net_endpoint.hpp"

namespace sheaf::net {
namespace {

void rest_a_little(std::uint32_t) {
  constexpr timespec pause{0, 50'000};
  nanosleep(&pause, nullptr);
}

}  // namespace

std::unique_ptr<host::host_job> neighbours::job(options const& local, std::uint32_t self) const {
  if (ranks.empty()) return std::make_unique<host::host_job>(local);
  auto const place = std::lower_bound(ranks.begin(), ranks.end(), self) - ranks.begin();
  return std::make_unique<host::host_job>(local, roots, static_cast<std::uint32_t>(place), *own, lost);
}

void play_process(bootstrap& job, wire& line, limits const& sizes, options const& local, std::vector<int> const& cores,
                  location_body& body, std::function<std::function<void()>(engine&)> const& finishing,
                  neighbours const& near) {
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
  auto const tend = [&] {
    try {
      gate.progress(0);
    } catch (error const&) {  // the others know
    }
    rest_a_little(0);
  };
  host::play_together(local.locations, cores, play, "SHEAF_THREADS", tend);
  // Nobody has told the launcher, and the last meeting would wait for who has gone.
  if (std::string const why = siblings.loss(); !why.empty()) job.abort(job.rank() * local.locations, why);
  auto const look = finishing(gate.inner());
  gate.finish([&](std::uint32_t round) {
    rest_a_little(round);
    look();
  });
  body.ending("closes its connection to the other processes");
}

}  // namespace sheaf::net
