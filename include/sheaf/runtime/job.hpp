// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <memory>

#include "sheaf/runtime/run.hpp"

namespace sheaf {

/// A job that is begun and ended by calls instead of sheaf::run: for a C interface, an interpreter, or a framework that
/// has a main() of its own. The calling thread is the process's one location from then on, and takes part where it
/// waits, fences or polls. One at a time in a process; all calls by the thread that began it.
class job {
 public:
  /// Collective over the processes of the job. Throws option_error as sheaf::run does; usage_error where a job is
  /// running, or where the settings ask for several locations in a process or for the simulator.
  explicit job(options settings = detail::settings_of_main(), detail::as_compiled = {});
  job& operator=(job&&) = delete;
  /// Where end() was not called, the whole job ends as failed.
  ~job();

  /// Usable until end().
  [[nodiscard]] team world() const;

  /// Collective: a fence of the world, the checks at the end of sheaf::run, and the end of all that the job had.
  /// Objects and teams must be gone. Throws job_failed when a location failed.
  void end();

 private:
  struct parts;
  void leave();

  std::unique_ptr<parts> parts_;
};

}  // namespace sheaf
