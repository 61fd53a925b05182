// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/time_limit.hpp"
#include "sheaf/runtime/team.hpp"

/// The end of a job, as far as one process sees it: nothing may be left, and it may not take long.
namespace sheaf::detail {

/// What this location still has to send, to run or to wait for; empty: nothing.
std::string leftovers(location& here);

/// Collective over the world, after its last fence and before anything else: throws error where something is left
/// here, or where the locations together have not executed as many requests as they have sent.
void check_finished(team const& world);

/// Limits the time from when the first location of a process has come out of the last fence of the world (so all
/// programs have ended) until the process has left the job. Any thread.
class finish_watch {
 public:
  /// No limit where that is 0. `late` gets the text; it is called once, on another thread, and may end the process.
  finish_watch(std::chrono::nanoseconds limit, std::function<void(std::string const&)> late)
      : limit_(limit), late_(std::move(late)) {}

  /// A location of this process begins; has done all its work; has come out of what Sheaf runs on its thread.
  void begun(location_id l) { set(l, state::working); }
  void done(location_id l) { set(l, state::done); }
  void left(location_id l) { set(l, state::left); }

  /// What the process does after that.
  void ending(char const* what);

  /// Whether the time is up.
  [[nodiscard]] bool overdue() const noexcept { return overdue_.load(std::memory_order_relaxed); }

  /// Who is missing in this process, and what the process does.
  [[nodiscard]] std::string report();

 private:
  enum class state : std::uint8_t { working, done, left };

  void time_is_up();
  void set(location_id l, state s);

  std::chrono::nanoseconds const limit_;
  std::function<void(std::string const&)> const late_;
  std::atomic<bool> overdue_{false};
  std::mutex mutex_;
  std::map<std::uint32_t, state> locations_;
  char const* ending_ = "waits for the threads of its locations to end";
  std::optional<time_limit> timer_;  // last: its thread uses the rest
};

}  // namespace sheaf::detail
