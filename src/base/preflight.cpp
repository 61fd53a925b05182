// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/preflight.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <optional>

#include "base/launched.hpp"
#include "base/stderr_pipe.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::detail {
namespace {

/// Measured: Open MPI 4.1 asks for 4,194,312 bytes of /dev/shm for each process where a host has several, MPICH 4.0
/// takes 4,312,000 (UCX's queue and pages of its own).
constexpr std::uint64_t shared_for_process = 4'400'000;

std::uint64_t limit_of(int resource) {
  rlimit limit{};
  bool const known = getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
  return known && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : unlimited;
}

std::string count(std::uint64_t number, char const* what, char const* ending = "s") {
  return std::to_string(number) + " " + what + (number == 1 ? "" : ending);
}

/// 16.8 MB and the like would not do as an argument: whole mebibytes, rounded up to a power of two.
std::string size_word(std::uint64_t bytes) {
  std::uint64_t mebibytes = 1;
  while (mebibytes << 20 < bytes) mebibytes *= 2;
  return std::to_string(mebibytes) + "m";
}

std::optional<finding> shared_memory(job_shape const& job, machine_readings const& machine) {
  std::uint64_t const needed = shared_for_process * job.processes_here;
  // Processes that came before us may hold theirs already: then our own must fit, and all into the whole.
  bool const enough = job.launched ? machine.shared_total >= needed && machine.shared_free >= shared_for_process
                                   : machine.shared_free >= needed;
  if (job.processes_here < 2 || enough) return {};
  return finding{false, "/dev/shm has " + in_bytes(machine.shared_free) + " free of " + in_bytes(machine.shared_total) +
                            ", and MPI needs about " + in_bytes(needed) + " there for " +
                            count(job.processes_here, "process", "es") +
                            " on this host; make it larger: mount -o remount,size=" + size_word(2 * needed) +
                            " /dev/shm (in a container: docker run --shm-size=" + size_word(2 * needed) + ")"};
}

std::optional<finding> threads(job_shape const& job, machine_readings const& machine) {
  std::uint64_t const needed = job.threads - 1;
  if (machine.threads_left >= needed) return {};
  return finding{true, "the system lets this process start " + count(machine.threads_left, "more thread") +
                           ", and its " + count(job.threads, "location") + " need " + std::to_string(needed) +
                           "; ask for fewer, or raise the limit: ulimit -u " + std::to_string(4 * job.threads) +
                           " (in a container: --pids-limit)"};
}

/// What locations hold after a fence, in which each has so many peers as the number of all has bits: the sum in
/// docs/internals/memory.md.
std::uint64_t least_memory(job_shape const& job) {
  std::uint64_t const all = std::uint64_t{job.processes} * job.threads;
  return std::uint64_t{job.processes_here} * job.threads * (608 * std::uint64_t{std::bit_width(all)} + 3120);
}

std::optional<finding> memory(job_shape const& job, machine_readings const& machine) {
  std::uint64_t const least = least_memory(job);
  if (machine.memory >= least) return {};
  return finding{true, in_bytes(machine.memory) + " of memory are available here (control group included), and the " +
                           count(std::uint64_t{job.processes_here} * job.threads, "location") + " of this host need " +
                           in_bytes(least) + " before they send anything; start fewer, or use more hosts"};
}

}  // namespace

machine_readings read_machine(std::string const& root) {
  machine_readings all;
  struct statvfs shared {};
  if (statvfs((root + "/dev/shm").c_str(), &shared) == 0) {
    all.shared_total = shared.f_blocks * shared.f_frsize;
    all.shared_free = shared.f_bavail * shared.f_frsize;
    if (all.shared_total == 0) all.shared_total = all.shared_free = unlimited;  // a tmpfs without a limit
  }
  all.open_files = limit_of(RLIMIT_NOFILE);
  all.threads_left = available_threads(root);
  if (geteuid() != 0) all.threads_left = std::min(all.threads_left, limit_of(RLIMIT_NPROC));
  all.memory = available_memory(root);
  return all;
}

job_shape shape_of(options const& settings) {
  job_shape job;
  if (settings.transport == transport_kind::mpi || settings.transport == transport_kind::hybrid) {
    job.processes = std::max(1u, processes());
    job.processes_here = std::clamp(processes_here(), 1u, job.processes);
    job.threads = settings.threads;
  } else {
    job.threads = settings.locations;
  }
  return job;
}

std::vector<finding> preflight(job_shape const& job, machine_readings const& machine) {
  std::vector<finding> all;
  for (auto* const look : {shared_memory, threads, memory}) {
    if (std::optional<finding> one = look(job, machine)) all.push_back(std::move(*one));
  }
  return all;
}

void check_machine(options const& settings) {
  if (settings.transport == transport_kind::sim) return;
  for (finding const& one : preflight(shape_of(settings), read_machine())) {
    if (one.fatal) throw option_error("sheaf: " + one.text);
    static std::atomic<bool> told{false};  // programs run many jobs
    if (process_here() == 0 && !told.exchange(true))
      write_line("sheaf: warning (host " + host_name() + "): " + one.text);
  }
}

}  // namespace sheaf::detail
