// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sheaf/host_list.hpp"

namespace sheaf::tool {

/// What `sheaf run` is asked for. 0 and "auto" are to be chosen.
struct launch_request {
  unsigned locations = 0;
  unsigned threads = 0;
  std::string transport = "auto";  ///< auto, thread, sim, mpi, hybrid
  std::string mpi = "auto";        ///< auto, openmpi, mpich
  std::string bind = "auto";       ///< auto, core, none
  bool label = false;
  std::vector<host> hosts;
  std::vector<std::string> launcher_options;
  std::vector<std::pair<std::string, std::string>> settings;  ///< SHEAF_* variables that all processes get
  std::vector<std::string> program;                           ///< with its arguments
};

/// What is here to start a job with.
struct launch_machine {
  unsigned cores = 1;    ///< that this process may use
  unsigned threads = 1;  ///< hardware threads of those cores
  bool root = false;
  bool allocated = false;  ///< inside an allocation of a batch system, so that the hosts are its
  unsigned tasks = 0;      ///< processes that the allocation is for; 0: it does not say
  std::string openmpi;     ///< the launcher of each kind; empty: there is none
  std::string mpich;
};

enum class launcher_kind { none, openmpi, mpich };

/// A command line and what it needs.
struct launch_plan {
  launcher_kind kind = launcher_kind::none;
  unsigned processes = 1;
  unsigned threads = 1;  ///< of each process
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> command;
  std::string note;  ///< something to tell; usually empty
};

/// What there is on this machine, from the environment, PATH and the system.
launch_machine look_around();

/// The job as a command. Sends nothing, starts nothing. Throws command_error with the legal values where the request
/// contradicts itself or this machine cannot do it.
launch_plan make_plan(launch_request request, launch_machine const& machine);

/// The plan as a line for a shell.
std::string shell_line(launch_plan const& plan);

}  // namespace sheaf::tool
