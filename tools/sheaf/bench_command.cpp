// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/bench_command.hpp"

#include <bit>
#include <cstdio>
#include <exception>
#include <mutex>

#include "sheaf/bench_floors.hpp"
#include "sheaf/bench_job.hpp"
#include "sheaf/bench_time.hpp"
#include "sheaf/report.hpp"
#include "sheaf/runtime/run.hpp"
#include "sheaf/transport/launch.hpp"

namespace sheaf::tool {
namespace {

constexpr int repeats = 7;
constexpr std::size_t block = std::size_t{64} << 10;

options settings_of_job() {
  options job = detail::settings_of_main();
  if (job.transport == transport_kind::sim)
    throw option_error("sheaf: the simulator has no time of its own to measure");
  if (job.transport == transport_kind::automatic) {
    job.transport = under_mpi_launcher() ? transport_kind::mpi : transport_kind::thread;
  }
  if (job.transport == transport_kind::mpi && job.threads > 1) job.transport = transport_kind::hybrid;
  if (job.transport == transport_kind::thread && job.locations == 0 && job.threads == 0) {
    job.locations = std::max(2u, job.resolved().locations);
  }
  return job;
}

/// `floor`: what the machine does; the ratio says how many times as much Sheaf takes, or what part of it Sheaf reaches.
report::row line(char const* what, std::vector<double> const& ours, char const* unit, char const* floor_name,
                 double floor) {
  return {{"what", what},
          {"median", median(ours)},
          {"unit", unit},
          {"spread %", spread(ours)},
          {"floor", floor_name},
          {"floor's median", floor},
          {"ratio", floor > 0 ? median(ours) / floor : 0.0}};
}

report describe(options const& job, std::size_t locations, machine_floors const& floors, job_samples const& ours) {
  double const trip = median(floors.ping_pong_ns);
  auto const rounds = static_cast<double>(std::bit_width(std::max<std::size_t>(locations, 2) - 1));
  std::string const ping_pong = std::string("ping-pong of ") + floors.ping_pong;
  report all;
  all.add("job", {{"transport", name(job.transport)}, {"locations", locations}, {"samples", repeats}});
  all.add_table(
      "measured",
      {line("blocking request of 8 bytes", ours.round_trip_ns, "ns", ping_pong.c_str(), trip),
       line("requests of 8 bytes, each location", ours.updates_m, "M/s", "additions in cache",
            median(floors.increments_m)),
       line("requests of 64 KiB, each location", ours.bulk_gb, "GB/s", "memcpy of 64 KiB", median(floors.copy_gb)),
       line("idle fence", ours.fence_ns, "ns", "log2(locations) one-way ping-pongs", rounds * trip / 2)});
  return all;
}

}  // namespace

bench_command::bench_command(CLI::App& app)
    : command(app.add_subcommand("bench", "Measure Sheaf on this machine, beside the machine itself")) {
  options_->add_flag("--json", json_, "as JSON");
  options_->footer(
      "Runs one thread per core, at least two; in other shapes: sheaf run -n 4 -t 2 sheaf bench. Takes some seconds.");
}

int bench_command::run() {
  try {
    options const job = settings_of_job();
    machine_floors const floors = measure_floors(job, repeats, block);
    std::mutex mutex;
    std::string text;
    sheaf::run(job, [&](team world) {
      job_samples const ours = measure_job(world, repeats, block);
      if (world.rank() != 0) return;
      report const all = describe(job, world.size(), floors, ours);
      std::lock_guard const lock(mutex);
      text = json_ ? all.json() : all.text();
    });
    std::fputs(text.c_str(), stdout);
    return 0;
  } catch (std::exception const& failure) {
    std::fprintf(stderr, "sheaf bench: %s\n", std::string(without_prefix(failure.what())).c_str());
    return 2;
  }
}

}  // namespace sheaf::tool
