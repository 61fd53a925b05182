// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "sheaf/sheaf.hpp"

namespace sheaf_test {

/// Keeps what the process prints to stderr, and passes it on.
class listener {
 public:
  listener() : before_(dup(STDERR_FILENO)) {
    int ends[2];
    if (before_ < 0 || pipe(ends) != 0) throw std::runtime_error("no pipe");
    from_ = ends[0];
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    thread_ = std::thread([this] { listen(); });
  }
  ~listener() {
    std::fflush(stderr);
    dup2(before_, STDERR_FILENO);  // the last writing end is closed
    thread_.join();
    close(from_);
    close(before_);
  }
  listener(listener const&) = delete;
  listener& operator=(listener const&) = delete;

  bool has(char const* part) {
    std::lock_guard const guard(lock_);
    return heard_.find(part) != std::string::npos;
  }

 private:
  void listen() {
    char some[4096];
    for (ssize_t n = 0; (n = read(from_, some, sizeof some)) > 0;) {
      static_cast<void>(!write(before_, some, static_cast<std::size_t>(n)));
      std::lock_guard const guard(lock_);
      heard_.append(some, static_cast<std::size_t>(n));
    }
  }

  int before_;
  int from_ = -1;
  std::mutex lock_;
  std::string heard_;
  std::thread thread_;
};

/// The one that Sheaf reports on: SIGUSR1 unless the MPI library has that.
inline int reporting_signal() {
  struct sigaction second {};
  sigaction(SIGUSR2, nullptr, &second);
  return second.sa_handler == SIG_DFL ? SIGUSR1 : SIGUSR2;
}

/// Location 0 is asked until it has told what a location of another process does.
inline void asked(sheaf::team const& world) {
  if (world.rank() != 0) return sheaf::rmi_fence(world);
  {
    listener heard;
    auto asked_at = std::chrono::steady_clock::time_point();
    while (!heard.has("location 2 waits in rmi_fence")) {
      sheaf::rmi_poll();
      auto const now = std::chrono::steady_clock::now();
      if (now - asked_at < std::chrono::seconds(2)) continue;
      asked_at = now;
      kill(getpid(), reporting_signal());
    }
  }
  sheaf::rmi_fence(world);
}

}  // namespace sheaf_test
