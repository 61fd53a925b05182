// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "base/machine.hpp"
#include "sheaf/find_program.hpp"
#include "sheaf/launch_plan.hpp"

namespace sheaf::tool {
namespace {

bool is_set(char const* name) {
  char const* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

/// The beginning of what a program says about itself.
std::string version_of(std::string const& path) {
  std::string const command = "'" + path + "' --version 2>&1 < /dev/null";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) return {};
  std::array<char, 4096> text{};
  std::size_t const length = std::fread(text.data(), 1, text.size() - 1, pipe.get());
  return {text.data(), length};
}

/// The first of `names` on PATH. Where a name may belong to either library, its version must have one of `marks`.
std::string find_launcher(char const* own, std::initializer_list<char const*> shared,
                          std::initializer_list<char const*> marks) {
  std::string const path = find_on_path(own);
  if (!path.empty()) return path;
  for (char const* const name : shared) {
    std::string const candidate = find_on_path(name);
    std::string const version = candidate.empty() ? "" : version_of(candidate);
    for (char const* const mark : marks) {
      if (version.find(mark) != std::string::npos) return candidate;
    }
  }
  return {};
}

int number_in(std::string const& file) {
  int number = -1;
  std::ifstream(file) >> number;
  return number;
}

/// Cores of which this process may use at least one hardware thread.
unsigned own_cores() {
  std::set<std::pair<int, int>> all;
  for (int const each : detail::allowed_cores()) {
    std::string const folder = "/sys/devices/system/cpu/cpu" + std::to_string(each) + "/topology/";
    int const core = number_in(folder + "core_id");
    all.emplace(number_in(folder + "physical_package_id"), core >= 0 ? core : each);
  }
  return static_cast<unsigned>(all.size());
}

}  // namespace

launch_machine look_around() {
  launch_machine m;
  m.threads = detail::usable_cores();
  m.cores = std::max(1u, std::min(own_cores(), m.threads));
  m.root = geteuid() == 0;
  m.allocated = is_set("SLURM_JOB_ID") || is_set("PBS_NODEFILE") || is_set("LSB_HOSTS") || is_set("PE_HOSTFILE");
  if (is_set("SLURM_NTASKS")) m.tasks = static_cast<unsigned>(std::strtoul(std::getenv("SLURM_NTASKS"), nullptr, 10));
  m.openmpi = find_launcher("mpirun.openmpi", {"mpirun", "mpiexec"}, {"Open MPI", "OpenRTE", "open-mpi"});
  m.mpich = find_launcher("mpiexec.mpich", {"mpiexec.hydra", "mpiexec", "mpirun"}, {"HYDRA", "Intel(R) MPI"});
  return m;
}

}  // namespace sheaf::tool
