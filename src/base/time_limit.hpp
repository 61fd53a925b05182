// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
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
  no_signals(no_signals const&) = delete;
  no_signals& operator=(no_signals const&) = delete;
  ~no_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Calls something on a thread of its own if it still lives when a time has passed. Where the system gives no thread,
/// there is no limit.
class time_limit {
 public:
  time_limit(std::chrono::nanoseconds time, std::function<void()> late) : late_(std::move(late)) {
    no_signals const while_it_starts;
    try {
      thread_ = std::thread([this, until = std::chrono::steady_clock::now() + time] { watch(until); });
    } catch (std::system_error const&) {
    }
  }
  time_limit(time_limit const&) = delete;
  time_limit& operator=(time_limit const&) = delete;
  ~time_limit() {
    {
      std::lock_guard const lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void watch(std::chrono::steady_clock::time_point until) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_until(lock, until, [this] { return over_; })) return;
    lock.unlock();
    late_();
  }

  std::function<void()> const late_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace sheaf::detail
