// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/wire.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <span>

#include "base/machine.hpp"
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

/// What the launchers of MPICH and of libraries with its binary interface set: Hydra (Intel's, too), Cray's, MVAPICH's.
constexpr char const* mpich_marks[] = {"PMI_RANK", "HYDI_CONTROL_FD", "PALS_RANKID", "MV2_COMM_WORLD_RANK"};

bool has_any(surroundings const& s, std::span<char const* const> names) {
  return std::ranges::any_of(names, [&](char const* name) { return s.variable(name) != nullptr; });
}

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

void* load_module(std::string const& file, std::string& failures) {
  // An MPI library loads parts of itself, which look for its symbols among the global ones.
  bool const there = std::filesystem::exists(file);
  void* const module = there ? dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL) : nullptr;
  if (module != nullptr) return module;
  std::string const why = there ? dlerror() : "not there";
  failures += "\n  " + file + ": " + why;
  // Another MPI is tried where this one is not installed, not where memory does not suffice, say.
  if (there && why.find("cannot open shared object file") == why.npos)
    throw option_error("sheaf: the MPI wire module cannot be loaded:" + failures);
  return nullptr;
}

/// What a function that a module exports opens; null with the reason added to `failures` where it cannot. Throws
/// option_error with what it says against these processes, with `refused` before it: another file would say it, too.
template <class Function, class... Arguments>
auto open_by(void* module, std::string const& file, char const* symbol, std::string const& refused,
             std::string& failures, Arguments&&... arguments) {
  auto* const open = reinterpret_cast<Function*>(dlsym(module, symbol));
  std::array<char, 256> problem{};
  auto* const opened = open == nullptr ? nullptr : open(wire_version, arguments..., problem);
  if (opened != nullptr) return opened;
  if (problem.front() != '\0') throw option_error("sheaf: " + refused + ": " + problem.data());
  failures +=
      "\n  " + file + ": " +
      (open == nullptr ? "it exports no " + std::string(symbol)
                       : "it is of another version than libsheaf (wire version " + std::to_string(wire_version) + ")");
  return opened;
}

bool is_name(std::string const& text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

std::vector<std::string> module_files(std::string const& name) {
  std::vector<std::string> all;  // first the folders
  Dl_info here{};
  if (dladdr(reinterpret_cast<void const*>(&load_bootstrap), &here) != 0 && here.dli_fname != nullptr) {
    all.push_back((std::filesystem::absolute(here.dli_fname).parent_path() / "sheaf").string());
  }
  for (char const* const fixed : {SHEAF_WIRE_INSTALL_DIR, SHEAF_WIRE_BUILD_DIR}) {
    if (*fixed != '\0' && std::find(all.begin(), all.end(), fixed) == all.end()) all.emplace_back(fixed);
  }
  for (std::string& each : all) each += "/libsheaf_wire_" + name + ".so";
  return all;
}

std::vector<std::string> wire_candidates(surroundings const& s) {
  if (is_name(s.chosen)) return {s.chosen};
  if (!s.loaded.empty()) return {s.loaded.find("Open MPI") != std::string::npos ? "openmpi" : "mpich"};
  if (s.variable("OMPI_COMM_WORLD_SIZE") != nullptr) return {"openmpi"};
  return has_any(s, mpich_marks) ? std::vector<std::string>{"mpich", "openmpi"}
                                 : std::vector<std::string>{"openmpi", "mpich"};
}

bool launched(surroundings const& s) noexcept {
  constexpr char const* others[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"};
  return has_any(s, others) || has_any(s, mpich_marks);
}

bootstrap_ptr load_bootstrap(std::string const& chosen_library, thread_level level, void const* communicator) {
  surroundings const around{chosen_library, loaded_mpi(), environment};
  std::string failures;
  for (std::string const& name : wire_candidates(around)) {
    for (std::string const& file : module_files(name)) {
      void* const module = load_module(file, failures);
      if (module == nullptr) continue;
      bootstrap_ptr opened(open_by<open_bootstrap_function>(module, file, open_bootstrap_symbol, "no job over MPI",
                                                            failures, level, communicator),
                           {module});
      if (!opened) continue;
      std::uint32_t const expected = communicator == nullptr ? detail::processes() : 0;
      if (expected == 0 || expected == opened->size()) return opened;
      throw option_error("sheaf: the launcher started " + std::to_string(expected) + " processes, but " + name +
                         " sees " + std::to_string(opened->size()) +
                         ": the launcher belongs to another MPI library; start the program with " + name +
                         "'s own mpiexec, or set SHEAF_MPI to the launcher's library" +
                         (failures.empty() ? "" : "; not usable were" + failures));
    }
  }
  throw option_error(
      "sheaf: no MPI wire module could be loaded; tried" + failures +
      "\nBuild Sheaf where pkg-config finds ompi-c or mpich (see SHEAF_WITH_MPI), put libsheaf_wire_*.so into "
      "the folder sheaf/ beside libsheaf.so, or run on threads with SHEAF_TRANSPORT=thread");
}

wire_ptr open_wire(bootstrap_ptr const& job, std::string const& name) {
  std::string const refused = name.empty() ? "no wire" : "SHEAF_WIRE=" + name;
  std::string failures;
  auto const open = [&](void* module, std::string const& file) {
    return wire_ptr(open_by<open_wire_function>(module, file, open_wire_symbol, refused, failures, *job));
  };
  if (name.empty()) {
    if (wire_ptr line = open(job.get_deleter().module, "the module that found the processes")) return line;
  }
  for (std::string const& file : name.empty() ? std::vector<std::string>() : module_files(name)) {
    void* const module = load_module(file, failures);
    if (module == nullptr) continue;
    if (wire_ptr line = open(module, file)) return line;
  }
  throw option_error("sheaf: " + refused + ": no wire module could be opened; tried" + failures);
}

}  // namespace sheaf::net

bool sheaf::under_mpi_launcher() noexcept { return net::launched({{}, {}, net::environment}); }
