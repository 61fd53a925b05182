// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "sheaf/base/options.hpp"

namespace sheaf::host {

/// The threads that play the locations of one process; the caller is the first of them.
class crew {
 public:
  /// `cores`: where to bind each thread; empty: they float.
  crew(std::uint32_t count, std::vector<int> cores) : count_(count), cores_(std::move(cores)) {}

  /// Calls `play(i)` on thread i, 0 on the caller, all at once, and returns when all have returned; meanwhile, once its
  /// own play has ended, the caller calls `tend()` again and again, unless that is empty. Throws option_error, and
  /// plays nothing, where the system refuses a thread; `variable` is the setting that asks for them.
  void run(std::function<void(std::uint32_t)> const& play, char const* variable,
           std::function<void()> const& tend = {});

 private:
  /// Holds the threads until all have started, or sends them home when one could not.
  enum class gate : std::uint8_t { closed, open, called_off };

  bool start(std::vector<std::thread>& threads, std::function<void(std::uint32_t)> const& play);
  void go(gate state);
  void play_bound(std::uint32_t i, std::function<void(std::uint32_t)> const& play);

  std::uint32_t const count_;
  std::vector<int> const cores_;
  std::atomic<gate> gate_{gate::closed};
  std::atomic<std::uint32_t> playing_{0};
  char const* limit_ = "";  ///< that a thread was refused by
};

}  // namespace sheaf::host
