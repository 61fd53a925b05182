// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// message.routed: simulated microseconds under LogGP costs (simulator.hpp has the defaults) in which `--locations` on
/// `--hosts` hosts each send `--updates` updates of 8 bytes to random locations, an epoch for each `--burst` of them,
/// by the route `--path`; "peer" is straight to each destination. To send or handle an update takes 10 ns. The counts
/// say how full packets between hosts are.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/measure.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/sheaf.hpp"
#include "sheaf/transport/simulator.hpp"

using namespace sheaf_bench;

namespace {

struct outcome {
  double us = 0;
  double per_entry = 0;  ///< requests
};

outcome play(arguments const& args, sheaf::route_kind path) {
  auto const locations = static_cast<unsigned>(args.number("--locations", 4096));
  auto const updates = static_cast<std::uint64_t>(args.number("--updates", 1024));
  auto const burst = static_cast<std::uint64_t>(args.number("--burst", 1024));
  std::uint64_t last = 0, sum = 0, entries = 0;
  sheaf::options job;
  job.transport = sheaf::transport_kind::sim;
  job.timed = true;
  job.locations = locations;
  job.hosts = static_cast<unsigned>(args.number("--hosts", 64));
  job.path = path;
  job.stack_bytes = std::size_t{32} << 10;
  check(sheaf::run(job,
                   [&](sheaf::team world) {
                     sheaf::message_type<std::uint64_t, sheaf::unordered> add(world, [&](std::uint64_t value) {
                       sheaf::charge(10);
                       sum += value;
                     });
                     auto& connection = sheaf::detail::here_of(world).connection();
                     std::uint64_t random = world.rank() + 1;
                     for (std::uint64_t done = 0; done < updates; done += burst) {
                       sheaf::epoch(world, [&] {
                         for (std::uint64_t i = 0; i < burst; ++i) {
                           random = random * 6364136223846793005u + 1442695040888963407u;
                           sheaf::charge(10);
                           add.send((random >> 33) % locations, 1);
                         }
                       });
                     }
                     last = std::max(last, connection.now() - sheaf::simulation::first_ns);
                     auto const& counts = connection.counts();
                     for (auto const kind : sheaf::request_classes()) {
                       auto const k = static_cast<std::size_t>(kind);
                       entries += counts.buffers_sent[k] + counts.inline_sent[k];
                     }
                   }) == 0,
        "the job failed");
  check(sum == locations * (updates / burst) * burst, "an update was lost or came twice");
  return {static_cast<double>(last) * 1e-3, static_cast<double>(sum) / static_cast<double>(entries)};
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  std::string const wanted = args.text("--path", "grid");
  auto path = sheaf::route_kind::grid;
  for (auto const each : {sheaf::route_kind::ring, sheaf::route_kind::hypercube, sheaf::route_kind::dissemination,
                          sheaf::route_kind::node_wise}) {
    if (wanted == sheaf::name(each)) path = each;
  }
  check(wanted == sheaf::name(path), "no such path");
  outcome const routed = play(args, path), straight = play(args, sheaf::route_kind::direct);
  print_result("us", {routed.us},
               ",\"peer\":" + std::to_string(straight.us) + ",\"per_entry\":" + std::to_string(routed.per_entry) +
                   ",\"peer_per_entry\":" + std::to_string(straight.per_entry));
}
