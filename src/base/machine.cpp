// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/machine.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <thread>

#include "base/settings.hpp"
#include "base/stderr_pipe.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::detail {

namespace {

/// The number behind the word `key` in `path`; the first number of the file for an empty key.
std::uint64_t read_number(std::string const& path, std::string const& key, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string word;
    if (!key.empty() && (!(words >> word) || word != key)) continue;
    std::uint64_t value = 0;
    return words >> value ? value : otherwise;
  }
  return otherwise;
}

/// The path of the control group of this process: version 2 has one line, 0::PATH.
std::string group_path(std::string const& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("0::", 0) == 0) return line.substr(3);
  }
  return "/";
}

/// What stands behind `cache_key` in memory.stat counts as free.
std::uint64_t left_in(std::string const& folder, char const* limit_file, char const* used_file, char const* cache_key) {
  std::uint64_t const limit = read_number(folder + limit_file, "", unlimited);
  if (limit == unlimited) return unlimited;
  std::uint64_t const used = read_number(folder + used_file, "", 0);
  std::uint64_t const held = used - std::min(used, read_number(folder + "/memory.stat", cache_key, 0));
  return limit - std::min(limit, held);
}

/// The least that any group from this one up to the top leaves.
std::uint64_t left_in_groups(std::string const& root) {
  std::uint64_t left = unlimited;
  for (std::string path = group_path(root);; path.erase(path.find_last_of('/'))) {
    left = std::min(left, left_in(root + "/sys/fs/cgroup" + path, "/memory.max", "/memory.current", "file"));
    if (path.find('/') == std::string::npos) return left;
  }
}

/// The first of these variables that is a number; 0: none is.
unsigned first_number(std::initializer_list<char const*> names) {
  for (char const* const each : names) {
    char const* const text = variable(each);
    unsigned count = 0;
    if (text != nullptr && std::from_chars(text, text + std::strlen(text), count).ec == std::errc()) return count;
  }
  return 0;
}

/// Bytes of /dev/shm, measured: of several processes each takes 4,194,312 (Open MPI 4.1), 4,312,000 (MPICH 4.0, UCX).
constexpr std::uint64_t shared_for_process = 4'400'000;

std::uint64_t limit_of(int resource) {
  rlimit limit{};
  bool const known = getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
  return known && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : unlimited;
}

/// 16.8 MB and the like would not do as an argument: whole mebibytes, rounded up to a power of two.
std::string size_word(std::uint64_t bytes) { return std::to_string(std::bit_ceil((bytes + 0xfffff) >> 20)) + "m"; }

}  // namespace

std::uint64_t available_memory(std::string const& root) {
  std::uint64_t const kilobytes = read_number(root + "/proc/meminfo", "MemAvailable:", unlimited / 1024);
  std::uint64_t const first_version =
      left_in(root + "/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_cache");
  return std::min({kilobytes * 1024, first_version, left_in_groups(root)});
}

char const* limit_of_threads() {
  rlimit space{};
  std::size_t stack = 0;
  pthread_attr_t usual;
  if (pthread_attr_init(&usual) == 0) {
    pthread_attr_getstacksize(&usual, &stack);
    pthread_attr_destroy(&usual);
  }
  std::uint64_t const used = read_number("/proc/self/statm", "", 0) * static_cast<std::uint64_t>(getpagesize());
  bool const limited = getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
  return limited && used + 2 * stack > space.rlim_cur ? "ulimit -v" : "ulimit -u; in a container: --pids-limit";
}

std::string in_bytes(std::uint64_t bytes) {
  bool const large = bytes >= 1'000'000'000;
  std::uint64_t const tenths = bytes / (large ? 100'000'000 : 100'000);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (large ? " GB" : " MB");
}

std::vector<int> allowed_cores() {
  std::vector<int> cores;
  std::vector<cpu_set_t> sets(64);  // of 1024 cores each: as many as any system has
  std::size_t const bytes = sets.size() * sizeof(cpu_set_t);
  if (sched_getaffinity(0, bytes, sets.data()) != 0) return cores;
  for (std::size_t c = 0; c < 8 * bytes; ++c) {
    if (CPU_ISSET_S(c, bytes, sets.data())) cores.push_back(static_cast<int>(c));
  }
  return cores;
}

unsigned usable_cores() {
  std::size_t const allowed = allowed_cores().size();
  unsigned const here =
      std::max(1u, allowed != 0 ? static_cast<unsigned>(allowed) : std::thread::hardware_concurrency());
  // Cores' worth of time that the control group grants, rounded up; "max" stands where there is no limit.
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  unsigned long long quota = 0, period = 0;
  if (!(file >> quota >> period) || quota == 0 || period == 0) return here;
  return static_cast<unsigned>(std::min<unsigned long long>((quota - 1) / period + 1, here));
}

/// Slurm's variables are those of its step: a launcher of MPI that runs inside of one comes first. Slurm's processes
/// are taken to be spread evenly, so that each host comes to the same number.
unsigned processes_here() {
  unsigned const told = first_number({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE",
                                      "PALS_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE"});
  unsigned const hosts = first_number({"SLURM_STEP_NUM_NODES"});
  return told != 0 || hosts == 0 ? told : (first_number({"SLURM_STEP_NUM_TASKS"}) + hosts - 1) / hosts;
}

unsigned processes() {
  return first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"});
}

unsigned process_here() {
  return first_number({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "PALS_LOCAL_RANKID",
                       "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID", "PMI_RANK"});
}

machine_readings read_machine(std::string const& root) {
  machine_readings all;
  struct statvfs shared {};
  if (statvfs((root + "/dev/shm").c_str(), &shared) == 0) {
    all.shared_total = shared.f_blocks * shared.f_frsize;
    all.shared_free = shared.f_bavail * shared.f_frsize;
    if (all.shared_total == 0) all.shared_total = all.shared_free = unlimited;  // a tmpfs without a limit
  }
  all.open_files = limit_of(RLIMIT_NOFILE);
  return all;
}

std::string shared_memory_finding(options const& settings, machine_readings const& machine) {
  bool const several = settings.transport == transport_kind::mpi || settings.transport == transport_kind::hybrid;
  unsigned const here = several ? std::clamp(processes_here(), 1u, std::max(1u, processes())) : 1;
  std::uint64_t const needed = shared_for_process * here;
  // Processes that came before us may hold theirs already: then our own must fit, and all into the whole.
  bool const enough = machine.shared_total >= needed && machine.shared_free >= shared_for_process;
  if (here < 2 || enough) return {};
  return "/dev/shm has " + in_bytes(machine.shared_free) + " free of " + in_bytes(machine.shared_total) +
         ", and MPI needs about " + in_bytes(needed) + " there for " + std::to_string(here) +
         " processes on this host; make it larger: mount -o remount,size=" + size_word(2 * needed) +
         " /dev/shm (in a container: docker run --shm-size=" + size_word(2 * needed) + ")";
}

void check_machine(options const& settings) {
  std::string const found = shared_memory_finding(settings, read_machine());
  static std::atomic<bool> told{false};  // programs run many jobs
  if (!found.empty() && process_here() == 0 && !told.exchange(true))
    write_line("sheaf: warning (host " + host_name() + "): " + found);
}

}  // namespace sheaf::detail
