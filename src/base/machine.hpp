// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sheaf/base/options.hpp"

/// What this machine has, what a launcher says of the job's processes on it, and whether that suffices.
namespace sheaf::detail {

/// What stands for no limit, and for what the system does not say.
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// Bytes that this machine can give to processes now: MemAvailable, or less where the control group of this process
/// allows less (its page cache counts as free). `root` is "" or, in a test, a folder with proc and sys in it.
std::uint64_t available_memory(std::string const& root = "");

/// How many more threads the control groups of this process allow; version 2 only.
std::uint64_t available_threads(std::string const& root = "");

/// The limit to raise where the system has just refused a thread: "ulimit -v" without room for a stack, or "ulimit -u".
char const* limit_of_threads();

/// "16.8 MB", "12.2 GB".
std::string in_bytes(std::uint64_t bytes);

/// The numbers of the cores that this thread may run on; empty where the system does not tell.
std::vector<int> allowed_cores();

/// How many threads of this process can run at once: the allowed cores, or fewer by a control group's limit of time.
unsigned usable_cores();

/// As the launcher of an MPI job says, else 0: processes on this host, all of them, and the number of this one here.
unsigned processes_here();
unsigned processes();
unsigned process_here();

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

std::vector<finding> preflight(job_shape const& job, machine_readings const& machine);

/// Throws option_error where the job cannot run. A host's first process warns, once, of what may end it. Not in `sim`.
void check_machine(options const& settings);

}  // namespace sheaf::detail
