// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "sheaf/base/options.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf {

/// What each location runs. It must not throw: the caller turns a program's exception into endpoint::fail.
class location_body {
 public:
  virtual void run(endpoint& connection) = 0;

  /// Told the settings, with what the processes of a job have agreed on, before any location runs.
  virtual void agreed(options const& /*settings*/) {}

  /// Told what the process does once its locations have returned; for the report about an end that takes too long.
  virtual void ending(char const* /*what*/) {}
  /// Whether it takes too long.
  [[nodiscard]] virtual bool overdue() { return false; }

 protected:
  ~location_body() = default;
};

/// Starts the locations of a job over one transport, runs `body` on each, returns when all of this process have
/// returned. `settings` must be resolved(). Entries still travelling when all bodies have returned are dropped; the
/// caller sees to it that there are none. Throws option_error where the machine cannot give what is asked for.
void launch_threads(options const& settings, location_body& body);
void launch_simulator(options const& settings, location_body& body);
/// One thread for each process, or several (`hybrid`).
void launch_mpi(options const& settings, location_body& body);

/// Called instead of launch_mpi when this process cannot take part: it meets the other processes, which would wait for
/// it, and they throw `why` as an option_error that names this process. Returns at once if there are no others or MPI
/// cannot be started. It uses only the MPI fields of `asked`.
void refuse_launch(std::string const& why, options const& asked) noexcept;

/// Whether this process was started by an MPI launcher (mpirun, mpiexec, srun with PMI).
bool under_mpi_launcher() noexcept;

}  // namespace sheaf
