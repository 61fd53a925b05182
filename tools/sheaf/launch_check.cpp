// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/launch_check.hpp"

#include "sheaf/command_error.hpp"

namespace sheaf::tool {
namespace {

/// Measured at 1 to 8 processes: Open MPI 4.1's mpirun needs 28 + 4 for each, MPICH 4.0's mpiexec 16 + 4.
std::uint64_t files_of_launcher(launch_plan const& plan) { return 40 + 4 * std::uint64_t{plan.processes}; }

detail::job_shape shape(launch_plan const& plan, bool launched) {
  detail::job_shape job;
  job.processes = job.processes_here = plan.processes;
  job.launched = launched;
  return job;
}

}  // namespace

std::vector<std::string> check_launch(launch_plan const& plan, detail::machine_readings const& machine) {
  std::uint64_t const needed = files_of_launcher(plan);
  if (machine.open_files < needed) {
    throw command_error("a process may have " + std::to_string(machine.open_files) +
                        " files open, and the launcher needs about " + std::to_string(needed) + " for " +
                        std::to_string(plan.processes) + " processes; raise the limit: ulimit -n 1024");
  }
  detail::machine_readings only_shared;
  only_shared.shared_total = machine.shared_total;
  only_shared.shared_free = machine.shared_free;
  if (!preflight(shape(plan, true), only_shared).empty()) return {};  // they will say so themselves
  std::vector<std::string> warnings;
  for (auto const& one : preflight(shape(plan, false), only_shared)) warnings.push_back(one.text);
  return warnings;
}

}  // namespace sheaf::tool
