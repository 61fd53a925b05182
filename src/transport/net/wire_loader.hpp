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

/// The MPI libraries to try, the likeliest first. A chosen or loaded one is the only one. A choice that names none is
/// passed over: settings have been checked, unless their error is on its way to the other processes.
std::vector<std::string> wire_candidates(surroundings const& s);

/// Where the wire module of an MPI library (openmpi, mpich) is looked for, in order; none of the files need be there.
std::vector<std::string> module_files(std::string const& library);

/// How many processes the launcher says it started; 0: it does not say.
std::uint32_t launched_processes(surroundings const& s);

/// Whether a launcher's variables are there.
bool launched(surroundings const& s) noexcept;

/// Whether a launcher started this process with others.
bool others_were_launched();

/// Loads the module of the MPI library that fits (it stays loaded) and finds the processes started together, or those
/// of the program's communicator. Throws option_error which lists the files tried, what was wrong with each, and the
/// remedy.
bootstrap_ptr load_bootstrap(std::string const& chosen_library, thread_level level, void const* communicator = nullptr);

}  // namespace sheaf::net
