// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// While one of these is armed, a SIGUSR1 of this process has each location of it that is noted say on standard error
/// what it waits for; one that does so neither nor polls within a quarter of a second is said to compute, with the
/// method that began there last. Where the program, or the MPI library, has an action of its own for that signal
/// (MPICH has), SIGUSR2 does it; where it has one for both, nothing does. Several may live at a time; a thread of the
/// process waits for the signal, hence the state in the source file.
class report_signal {
 public:
  explicit report_signal(bool wanted) : wanted_(wanted) {}
  ~report_signal();
  report_signal(report_signal const&) = delete;
  report_signal& operator=(report_signal const&) = delete;

  /// Once the transport runs. Any thread; only the first call does something.
  void arm();

  /// From now on `here` is asked, until `forget`. Called by its thread.
  void note(location& here);
  void forget(location& here);

 private:
  bool const wanted_;
  bool armed_ = false;
};

}  // namespace sheaf::detail
