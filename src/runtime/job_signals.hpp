// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <memory>

#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// What a job does with signals of its process, while one of these lives and is armed. Several may live at a time.
/// - A SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT first prints one line to stderr that names the location on whose
///   thread it came, and then takes its course, as before. Where the program has set an action of its own, that stays.
/// - A program that calls exit() in the job is told of in such a line, too.
/// - A SIGUSR1 has each location that is noted tell stderr what it waits for; one that neither waits nor polls within a
///   quarter of a second is said to compute. Where somebody else has an action for that signal (MPICH has), SIGUSR2
///   does it; where for both, nothing does. A thread of the process waits for the signal.
class job_signals {
 public:
  /// Notes which signals the program has not taken; changes nothing yet. What is not wanted is never changed.
  job_signals(bool tells_death, bool answers);
  ~job_signals();
  job_signals& operator=(job_signals&&) = delete;

  /// Sets the handlers, once an MPI library has had the chance to set its own. Any thread; only the first call counts.
  void arm();

  /// From now on `here` is asked, until `forget`. Called by its thread.
  void note(location& here);
  void forget(location& here);

 private:
  bool const tells_death_;
  bool const answers_;
  bool armed_ = false;
};

/// A stack for a thread's signal handlers, so that an overflow of its own can be told. One that is there stays.
class signal_stack {
 public:
  explicit signal_stack(bool wanted);
  ~signal_stack();
  signal_stack& operator=(signal_stack&&) = delete;

 private:
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace sheaf::detail
