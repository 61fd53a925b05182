// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <memory>

namespace sheaf::detail {

/// While one of these lives, a SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT of this process first prints one line to
/// standard error that names the location on whose thread it came, and then takes its course: to the handler that was
/// there before, or the default action. A signal for which the program has set an action of its own is left alone.
/// Several may live at a time. A signal's action belongs to the process, hence the state in the source file.
class fatal_signals {
 public:
  /// Notes which signals the program has not taken; changes nothing yet. Not wanted: nothing is ever changed.
  explicit fatal_signals(bool wanted);
  ~fatal_signals();
  fatal_signals(fatal_signals const&) = delete;
  fatal_signals& operator=(fatal_signals const&) = delete;

  /// Sets the handlers, once the transport runs: an MPI library sets its own when it starts, and a handler that was set
  /// before it would keep it from doing so. Any thread; only the first call does something.
  void arm();

 private:
  bool const wanted_;
};

/// A stack for signal handlers while a thread lives, so that an overflow of its own stack can be told. Where the thread
/// has one already, that stays.
class signal_stack {
 public:
  explicit signal_stack(bool wanted);
  ~signal_stack();
  signal_stack(signal_stack const&) = delete;
  signal_stack& operator=(signal_stack const&) = delete;

 private:
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace sheaf::detail
