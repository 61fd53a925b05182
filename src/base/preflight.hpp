// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/available.hpp"
#include "sheaf/base/options.hpp"

namespace sheaf::detail {

/// What this machine has for a job; what a test can give in its place.
struct machine_readings {
  std::uint64_t shared_total = unlimited;  ///< bytes of /dev/shm
  std::uint64_t shared_free = unlimited;   ///< bytes of it that are free
  std::uint64_t open_files = unlimited;    ///< the limit of a process (ulimit -n)
  std::uint64_t threads_left = unlimited;  ///< that may still be started: ulimit -u and the control group
  std::uint64_t memory = unlimited;        ///< bytes available
};

/// What a job is, as far as the process that looks knows.
struct job_shape {
  unsigned processes = 1;       ///< in all
  unsigned processes_here = 1;  ///< on this host
  unsigned threads = 1;         ///< locations of each process
  bool launched = true;         ///< its other processes have started, and may have taken what they need
};

/// One thing that is too small. The text is one sentence: what there is, what is needed, what to type.
struct finding {
  bool fatal;  ///< the job cannot run; else MPI may end it (SIGBUS)
  std::string text;
};

/// Reads the machine. `root` is "" or, in a test, a folder with proc, sys and dev in it; limits are this process's own.
machine_readings read_machine(std::string const& root = "");

/// The shape of a job with these settings, which must be resolved, from the launcher's variables.
job_shape shape_of(options const& settings);

/// What is too small for the job.
std::vector<finding> preflight(job_shape const& job, machine_readings const& machine);

/// Throws option_error where the job cannot run. What may end it later is a warning of the first process of each host,
/// once in a process. The simulator is not looked at.
void check_machine(options const& settings);

}  // namespace sheaf::detail
