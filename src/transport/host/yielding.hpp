// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sched.h>

#include <chrono>
#include <cstdint>

namespace sheaf::host {

/// Yields of a location that waits, by its own thread, as long as they pay. Where other programs compute on all cores,
/// the kernel gives each of them a whole slice at a yield, some milliseconds. A thread that sleeps gets a core when it
/// is woken. So once a yield has taken long, the location sleeps in place of its next ones, until it is woken or
/// `sleep_ns` have passed.
class yielding {
 public:
  static constexpr std::uint64_t sleep_ns = 1'000'000;

  /// To be asked instead of each yield. False: sleep.
  [[nodiscard]] bool pays() noexcept {
    if (sleeps_left_ == 0) return true;
    --sleeps_left_;
    return false;
  }
  void yield() noexcept {
    auto const begin = std::chrono::steady_clock::now();
    sched_yield();
    if (std::chrono::steady_clock::now() - begin > long_time) sleeps_left_ = sleeps;
  }

 private:
  static constexpr std::chrono::microseconds long_time{500};
  static constexpr std::uint32_t sleeps = 256;

  std::uint32_t sleeps_left_ = 0;
};

}  // namespace sheaf::host
