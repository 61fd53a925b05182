// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sheaf/base/options.hpp"

/// What this machine has, and what a launcher says of the job's processes on it.
namespace sheaf::detail {

/// What stands for no limit, and for what the system does not say.
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// Bytes that this machine can give to processes now: MemAvailable, or less where the control group of this process
/// allows less (its page cache counts as free). `root` is "" or, in a test, a folder with proc and sys in it.
std::uint64_t available_memory(std::string const& root = "");

/// The limit to raise where the system has just refused a thread: "ulimit -v" without room for a stack, or another one.
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

/// Limits of this machine; what a test can give in their place.
struct machine_readings {
  std::uint64_t shared_total = unlimited;  ///< bytes of /dev/shm
  std::uint64_t shared_free = unlimited;   ///< bytes of it that are free
  std::uint64_t open_files = unlimited;    ///< the limit of a process (ulimit -n)
};

/// Reads the machine. `root` is "" or, in a test, a folder with dev in it.
machine_readings read_machine(std::string const& root = "");

/// What MPI lacks in shared memory on this host for a job with these settings, which must be resolved: what there is,
/// what is needed, what to type. Empty: nothing. MPI may end the job there (SIGBUS).
std::string shared_memory_finding(options const& settings, machine_readings const& machine);

/// A host's first process warns, once, of what is found.
void check_machine(options const& settings);

}  // namespace sheaf::detail
