// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

namespace sheaf::detail {

/// While it lives, threads that are started block all signals.
class no_signals {
 public:
  no_signals() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  no_signals& operator=(no_signals&&) = delete;
  ~no_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Calls something on a thread of its own if it still lives when a time has passed. No limit if there is no thread.
class time_limit {
 public:
  time_limit(std::chrono::nanoseconds time, std::function<void()> late) {
    auto const until = std::chrono::steady_clock::now() + time;
    no_signals const while_it_starts;
    try {
      thread_ = std::jthread([late = std::move(late), until](std::stop_token const& over) {
        std::mutex alone;
        std::unique_lock lock(alone);
        std::condition_variable_any changed;
        changed.wait_until(lock, over, until, [&] { return over.stop_requested(); });
        if (!over.stop_requested())
          late();  // what the wait returns is not the predicate's, where the stop comes between
      });
    } catch (std::system_error const&) {
    }
  }

 private:
  std::jthread thread_;
};

}  // namespace sheaf::detail
