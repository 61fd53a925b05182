// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "harness/caught_stderr.hpp"
#include "sheaf/sheaf.hpp"

namespace sheaf_test {

/// The one that Sheaf reports on: SIGUSR1 unless the MPI library has that.
inline int reporting_signal() {
  struct sigaction second {};
  sigaction(SIGUSR2, nullptr, &second);
  return second.sa_handler == SIG_DFL ? SIGUSR1 : SIGUSR2;
}

/// Location 0 is asked until it has told what a location of another process does.
inline void asked(sheaf::team const& world) {
  if (world.rank() != 0) return sheaf::fence(world);
  std::string told;
  {
    caught_stderr const errors;
    auto asked_at = std::chrono::steady_clock::time_point();
    while (told.find("location 0 polls", told.find("location 2 waits in fence")) == told.npos) {
      sheaf::poll();
      told = errors.text();
      auto const now = std::chrono::steady_clock::now();
      if (now - asked_at < std::chrono::seconds(2)) continue;
      asked_at = now;
      kill(getpid(), reporting_signal());
    }
  }
  std::fputs(told.c_str(), stderr);
  sheaf::fence(world);
}

}  // namespace sheaf_test
