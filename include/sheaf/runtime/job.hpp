// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <memory>

#include "sheaf/runtime/run.hpp"

namespace sheaf {

/// A job that is begun and ended by calls instead of sheaf::run: for a C interface, an interpreter, or a framework that
/// has a main() of its own. From then on the calling thread is the process's only location, and takes part when it
/// waits, fences or polls. One job at a time in a process; the thread that began it makes all calls.
class job {
 public:
  /// Collective over the processes of the job. Throws option_error as sheaf::run does; usage_error where a job is
  /// running, or where the settings ask for several locations in a process or for the simulator.
  explicit job(options settings = detail::settings_of_main());
  job& operator=(job&&) = delete;
  /// Without a call of end() the whole job fails.
  ~job();

  /// Usable until end().
  [[nodiscard]] team world() const;

  /// Collective: a fence of the world, then the checks and the end of a job as in sheaf::run. Destroy objects and teams
  /// before. Throws job_failed when a location failed.
  void end();

 private:
  struct parts;
  void leave();

  std::unique_ptr<parts> parts_;
};

}  // namespace sheaf
