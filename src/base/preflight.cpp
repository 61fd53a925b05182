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
#include <filesystem>
#include <optional>

#include "base/launched.hpp"
#include "base/stderr_pipe.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::detail {
namespace {

using kind = finding::kind;

/// Measured: Open MPI 4.1 asks for 4,194,312 bytes of /dev/shm for each process where a host has several, MPICH 4.0
/// takes 4,312,000 (UCX's queue and pages of its own).
constexpr std::uint64_t shared_for_process = 4'400'000;
constexpr std::uint64_t files_of_process = 64;  // standard ones, libraries, the launcher's, the MPI library's own
constexpr std::uint64_t locked_for_fabric = std::uint64_t{64} << 20;

std::uint64_t limit_of(int resource) {
  rlimit limit{};
  bool const known = getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
  return known && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : unlimited;
}

bool over_mpi(job_shape const& job) {
  return job.transport == transport_kind::mpi || job.transport == transport_kind::hybrid;
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
  if (!over_mpi(job) || job.processes_here < 2 || enough) return {};
  return finding{kind::shared_memory, false,
                 "/dev/shm has " + in_bytes(machine.shared_free) + " free of " + in_bytes(machine.shared_total) +
                     ", and MPI needs about " + in_bytes(needed) + " there for " +
                     count(job.processes_here, "process", "es") +
                     " on this host; make it larger: mount -o remount,size=" + size_word(2 * needed) +
                     " /dev/shm (in a container: docker run --shm-size=" + size_word(2 * needed) + ")"};
}

std::optional<finding> open_files(job_shape const& job, machine_readings const& machine) {
  std::uint64_t const far = job.processes - std::min(job.processes, job.processes_here);
  std::uint64_t const needed = files_of_process + far;
  if (!over_mpi(job) || machine.open_files >= needed) return {};
  return finding{kind::open_files, false,
                 "a process may have " + count(machine.open_files, "file") + " open, and each of " +
                     count(job.processes, "process", "es") + " over MPI needs about " + std::to_string(needed) +
                     ", one of them for each process on another host; raise the limit: ulimit -n " +
                     std::to_string(std::max<std::uint64_t>(1024, 2 * needed))};
}

std::optional<finding> locked_memory(job_shape const& job, machine_readings const& machine) {
  if (!over_mpi(job) || !machine.fabric || machine.locked_memory >= locked_for_fabric) return {};
  return finding{kind::locked_memory, false,
                 "a process may lock " + in_bytes(machine.locked_memory) +
                     " of memory, and the fabric of this host (/dev/infiniband) needs its buffers locked, " +
                     in_bytes(locked_for_fabric) +
                     " or more; lift the limit: ulimit -l unlimited (for good: memlock in /etc/security/limits.conf)"};
}

std::optional<finding> threads(job_shape const& job, machine_readings const& machine) {
  std::uint64_t const needed = job.threads - 1;
  if (machine.threads_left >= needed) return {};
  return finding{kind::threads, true,
                 "the system lets this process start " + count(machine.threads_left, "more thread") + ", and its " +
                     count(job.threads, "location") + " need " + std::to_string(needed) +
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
  std::uint64_t const least = least_memory(job), most = buffers_at_most(job);
  std::uint64_t const here = std::uint64_t{job.processes_here} * job.threads;
  std::string const there = in_bytes(machine.memory) + " of memory are available here (control group included), and ";
  if (machine.memory < least) {
    return finding{kind::memory, true,
                   there + "the " + count(here, "location") + " of this host need " + in_bytes(least) +
                       " before they send anything; start fewer, or use more hosts"};
  }
  if (machine.memory >= most) return {};
  job_shape smaller = job;
  smaller.buffer_budget = unlimited;
  std::uint64_t const fitting = job.buffer_bytes * (machine.memory / (buffers_at_most(smaller) / 100 + 1)) / 100;
  return finding{kind::buffers, false,
                 there + "buffers can take " + in_bytes(most) + " if " + count(here, "location") +
                     " send to all at once; make them smaller: SHEAF_BUFFER_BYTES=" +
                     std::to_string(std::max<std::uint64_t>(128, fitting))};
}

/// Each kind once in a process: programs run many jobs.
void warn_once(finding const& one) {
  static std::atomic<unsigned> told{0};
  unsigned const bit = 1u << static_cast<unsigned>(one.about);
  if ((told.fetch_or(bit) & bit) != 0 || process_here() != 0) return;
  std::fprintf(stderr, "sheaf: warning (host %s): %s; SHEAF_PREFLIGHT=off ends this check\n", host_name().c_str(),
               one.text.c_str());
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
  all.locked_memory = limit_of(RLIMIT_MEMLOCK);
  all.threads_left = available_threads(root);
  if (geteuid() != 0) all.threads_left = std::min(all.threads_left, limit_of(RLIMIT_NPROC));
  all.memory = available_memory(root);
  std::error_code ignored;
  all.fabric = std::filesystem::exists(root + "/dev/infiniband", ignored);
  return all;
}

job_shape shape_of(options const& settings) {
  job_shape job;
  job.transport = settings.transport;
  job.buffer_bytes = settings.buffer_bytes;
  job.near_buffer_bytes = settings.near_buffer_bytes;
  job.window = settings.window;
  job.buffer_budget = settings.buffer_budget;
  if (over_mpi(job)) {
    job.processes = std::max(1u, processes());
    job.processes_here = std::clamp(processes_here(), 1u, job.processes);
    job.threads = job.transport == transport_kind::hybrid ? settings.threads : 1;
  } else {
    job.threads = settings.locations;
    job.near_buffer_bytes = settings.buffer_bytes;
  }
  return job;
}

/// Under way are `window` for each pair of locations, beyond the first of each as far as the budget goes: within a
/// process each has one place; between processes it has one going and one coming, of what a buffer is for all locations
/// of a process together. One more is being filled.
std::uint64_t buffers_at_most(job_shape const& job) {
  std::uint64_t const near = std::uint64_t{job.threads} * (job.threads - 1) * job.near_buffer_bytes;
  std::uint64_t const far = std::uint64_t{job.threads} * (job.processes - 1) * job.buffer_bytes;
  std::uint64_t const near_under_way = near + std::min((job.window - 1) * near, job.buffer_budget);
  std::uint64_t const far_under_way = std::max(far, std::min(job.window * far, job.buffer_budget / 2));
  return job.processes_here * (near_under_way + 2 * far_under_way + std::min(near + far, job.buffer_budget));
}

std::vector<finding> preflight(job_shape const& job, machine_readings const& machine) {
  std::vector<finding> all;
  for (auto* const look : {shared_memory, open_files, locked_memory, threads, memory}) {
    if (std::optional<finding> one = look(job, machine)) all.push_back(std::move(*one));
  }
  return all;
}

void tell(std::vector<finding> const& all, preflight_kind mode, void (*warn)(finding const& one)) {
  for (finding const& one : all) {
    if (mode == preflight_kind::off) return;
    if (one.fatal || mode == preflight_kind::strict) throw option_error("sheaf: " + one.text);
    warn(one);
  }
}

void check_machine(options const& settings) {
  if (settings.preflight == preflight_kind::off || settings.transport == transport_kind::sim) return;
  tell(preflight(shape_of(settings), read_machine()), settings.preflight, warn_once);
}

}  // namespace sheaf::detail
