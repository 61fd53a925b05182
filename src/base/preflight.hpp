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
  std::uint64_t shared_total = unlimited;   ///< bytes of /dev/shm
  std::uint64_t shared_free = unlimited;    ///< bytes of it that are free
  std::uint64_t open_files = unlimited;     ///< the limit of a process (ulimit -n)
  std::uint64_t locked_memory = unlimited;  ///< bytes (ulimit -l)
  std::uint64_t threads_left = unlimited;   ///< that may still be started: ulimit -u and the control group
  std::uint64_t memory = unlimited;         ///< bytes available
  bool fabric = false;                      ///< a network that reads and writes locked memory
};

/// What a job is, as far as the process that looks knows.
struct job_shape {
  transport_kind transport = transport_kind::thread;
  unsigned processes = 1;       ///< in all
  unsigned processes_here = 1;  ///< on this host
  unsigned threads = 1;         ///< locations of each process
  std::uint64_t buffer_bytes = 0;
  std::uint64_t near_buffer_bytes = 0;
  std::uint64_t window = 0;
  std::uint64_t buffer_budget = unlimited;  ///< bytes that a process may be filling
  bool launched = true;                     ///< its other processes have started, and may have taken what they need
};

/// One thing that looks too small. The text is one sentence: what there is, what is needed, what to type.
struct finding {
  enum class kind : unsigned { shared_memory, open_files, locked_memory, threads, memory, buffers };
  kind about;
  bool fatal;  ///< the job cannot run
  std::string text;
};

/// Reads the machine. `root` is "" or, in a test, a folder with proc, sys and dev in it; limits are this process's own.
machine_readings read_machine(std::string const& root = "");

/// The shape of a job with these settings, which must be resolved, from the launcher's variables.
job_shape shape_of(options const& settings);

/// What looks too small for the job.
std::vector<finding> preflight(job_shape const& job, machine_readings const& machine);

/// Bytes in buffers of the job's processes on one host when all locations send to all at once.
std::uint64_t buffers_at_most(job_shape const& job);

/// Reads, looks and tells, as `settings.preflight` says: warnings come from the first process of each host, each kind
/// once in a process. Throws option_error where the job cannot run, and for any finding where settings are strict. The
/// simulator is not looked at.
void check_machine(options const& settings);

/// The findings as check_machine tells them, to `warn`. Throws as it does.
void tell(std::vector<finding> const& all, preflight_kind mode, void (*warn)(finding const& one));

}  // namespace sheaf::detail
