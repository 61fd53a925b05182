// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/wire_loader.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"

#ifndef SHEAF_WIRE_INSTALL_DIR
#define SHEAF_WIRE_INSTALL_DIR ""
#endif
#ifndef SHEAF_WIRE_BUILD_DIR
#define SHEAF_WIRE_BUILD_DIR ""
#endif

namespace sheaf::net {
namespace {

char const* environment(char const* name) { return std::getenv(name); }

/// The text of MPI_Get_library_version of an MPI that the program has brought along; it may be asked before MPI_Init.
std::string loaded_mpi() {
  using function = int(char*, int*);
  auto* const describe = reinterpret_cast<function*>(dlsym(RTLD_DEFAULT, "MPI_Get_library_version"));
  if (describe == nullptr) return {};
  std::vector<char> text(16384, '\0');
  int length = 0;
  describe(text.data(), &length);
  return text.data();
}

std::vector<std::string> module_directories() {
  std::vector<std::string> all;
  if (char const* const named = environment("SHEAF_WIRE_DIR")) all.emplace_back(named);
  Dl_info here{};
  if (dladdr(reinterpret_cast<void const*>(&load_bootstrap), &here) != 0 && here.dli_fname != nullptr) {
    all.push_back((std::filesystem::absolute(here.dli_fname).parent_path() / "sheaf").string());
  }
  for (char const* const fixed : {SHEAF_WIRE_INSTALL_DIR, SHEAF_WIRE_BUILD_DIR}) {
    if (*fixed != '\0' && std::find(all.begin(), all.end(), fixed) == all.end()) all.emplace_back(fixed);
  }
  return all;
}

/// What the module in this file opens; null with the reason added to `failures` where it is not usable. Throws
/// option_error with what it says against these processes: another file would say it, too.
bootstrap_ptr open_module(std::string const& file, thread_level level, void const* communicator,
                          std::string& failures) {
  auto const failed = [&](std::string const& why) {
    failures += "\n  " + file + ": " + why;
    return bootstrap_ptr();
  };
  if (!std::filesystem::exists(file)) return failed("not there");
  // An MPI library loads parts of itself, which look for its symbols among the global ones.
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) return failed(dlerror());
  auto* const open = reinterpret_cast<open_bootstrap_function*>(dlsym(module, open_bootstrap_symbol));
  if (open == nullptr) return failed("not a wire module");
  std::array<char, 256> problem{};
  bootstrap_ptr opened(open(wire_version, level, communicator, problem));
  if (opened) return opened;
  if (problem.front() != '\0') throw option_error("sheaf: no job over MPI: " + std::string(problem.data()));
  return failed("it is of another version than libsheaf (wire version " + std::to_string(wire_version) + ")");
}

}  // namespace

std::vector<std::string> module_files(std::string const& library) {
  std::vector<std::string> all = module_directories();
  for (std::string& each : all) each += "/libsheaf_wire_" + library + ".so";
  return all;
}

std::vector<std::string> wire_candidates(surroundings const& s) {
  if (s.chosen == "openmpi" || s.chosen == "mpich") return {s.chosen};
  if (!s.loaded.empty()) return {s.loaded.find("Open MPI") != std::string::npos ? "openmpi" : "mpich"};
  if (s.variable("OMPI_COMM_WORLD_SIZE") != nullptr) return {"openmpi"};
  bool const hydra = s.variable("PMI_RANK") != nullptr || s.variable("HYDI_CONTROL_FD") != nullptr;
  if (hydra) return {"mpich", "openmpi"};
  return {"openmpi", "mpich"};
}

bool launched(surroundings const& s) noexcept {
  constexpr char const* marks[] = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK", "HYDI_CONTROL_FD"};
  return std::any_of(std::begin(marks), std::end(marks), [&](char const* name) { return s.variable(name) != nullptr; });
}

std::uint32_t launched_processes(surroundings const& s) {
  for (char const* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (char const* const value = s.variable(name)) return static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
  }
  return 0;
}

bool others_were_launched() {
  surroundings const around{{}, {}, environment};
  return launched(around) && launched_processes(around) != 1;
}

bootstrap_ptr load_bootstrap(std::string const& chosen_library, thread_level level, void const* communicator) {
  surroundings const around{chosen_library, loaded_mpi(), environment};
  std::string failures;
  for (std::string const& name : wire_candidates(around)) {
    for (std::string const& file : module_files(name)) {
      bootstrap_ptr opened = open_module(file, level, communicator, failures);
      if (!opened) continue;
      std::uint32_t const expected = communicator == nullptr ? launched_processes(around) : 0;
      if (expected == 0 || expected == opened->size()) return opened;
      throw option_error("sheaf: the launcher started " + std::to_string(expected) + " processes, but " + name +
                         " sees " + std::to_string(opened->size()) +
                         ": the launcher belongs to another MPI library; start the "
                         "program with " +
                         name + "'s own mpiexec, or set SHEAF_MPI to the launcher's library" +
                         (failures.empty() ? "" : "; not usable were" + failures));
    }
  }
  throw option_error(
      "sheaf: no MPI wire module could be loaded; tried" + failures +
      "\nBuild Sheaf where pkg-config finds ompi-c or mpich (see SHEAF_WITH_MPI), set SHEAF_WIRE_DIR to the "
      "folder of libsheaf_wire_*.so, or run on threads with SHEAF_TRANSPORT=thread");
}

}  // namespace sheaf::net

namespace sheaf {

bool under_mpi_launcher() noexcept { return net::launched({{}, {}, net::environment}); }

}  // namespace sheaf
