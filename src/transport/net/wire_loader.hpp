// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "transport/net/wire.hpp"

namespace sheaf::net {

struct closer {
  void* module = nullptr;  ///< of a bootstrap: the one that it comes from
  void operator()(auto* one) const noexcept { one->close(); }
};
using bootstrap_ptr = std::unique_ptr<bootstrap, closer>;
using wire_ptr = std::unique_ptr<wire, closer>;

/// Where a hint about the MPI library comes from; what a test can give in its place.
struct surroundings {
  std::string chosen;  ///< options.mpi_library
  std::string loaded;  ///< what the MPI in this process says about itself; empty: there is none
  char const* (*variable)(char const* name) = nullptr;  ///< getenv, or null for what is not set
};

/// The modules that may find the processes, the likeliest first. A chosen one, or that of a loaded MPI library, is the
/// only one. A choice that is no name is passed over: settings have been checked, unless their error is on its way to
/// the other processes.
std::vector<std::string> wire_candidates(surroundings const& s);

/// The files libsheaf_wire_NAME.so to look for, in order; none of them need be there.
std::vector<std::string> module_files(std::string const& name);

/// How many processes the launcher says it started; 0: it does not say.
std::uint32_t launched_processes(surroundings const& s);

/// Whether a launcher's variables are there.
bool launched(surroundings const& s) noexcept;

/// Whether a launcher started this process with others.
bool others_were_launched();

/// Loads the module that fits (it stays loaded) and finds the processes started together, or those
/// of the program's communicator. Throws option_error which lists the files tried, what was wrong with each, and the
/// remedy.
bootstrap_ptr load_bootstrap(std::string const& chosen_library, thread_level level, void const* communicator = nullptr);

/// Collective: a wire of the module of that name, or where it is empty, of the one that found the processes. Throws
/// option_error as load_bootstrap does.
wire_ptr open_wire(bootstrap_ptr const& job, std::string const& name = {});

}  // namespace sheaf::net
