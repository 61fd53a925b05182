// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/time_limit.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/collectives.hpp"

/// The end of a job, as far as one process sees it: nothing may be left, and it may not take long.
namespace sheaf::detail {

/// What this location still has to send, to run or to wait for; empty: nothing.
inline std::string leftovers(location& here) {
  admission const inside(here.gate());
  std::string text;
  auto const add = [&](std::string const& what) { text += (text.empty() ? "" : ", ") + what; };
  // Answers of the last fence may be left: nobody waits for them. Attached threads have flushed their requests.
  auto const& streams = here.out().streams();
  auto const all_sent = [](stream const* each) { return !is_request(each->kind()) || each->all_sent(); };
  if (!std::all_of(streams.begin(), streams.end(), all_sent)) add("requests that have not been sent");
  if (here.out().reserve_used() != 0) add(std::to_string(here.out().reserve_used()) + " bytes that wait for credit");
  for (std::uint32_t id = 0; id < here.registered().teams_end(); ++id) {
    team_state const* const team = here.registered().find_team(id);
    if (team == nullptr || team->awaited == 0) continue;
    add(std::to_string(here.calls().questions.awaited_by(team->awaited)) + " unanswered requests of team " +
        std::to_string(id));
  }
  if (text.empty() && here.out().empty() && !here.in().quiet(here.registered().world()))
    add("continuations that have not run");
  std::string const held = here.in().held_requests();
  if (!held.empty()) add("requests for objects that are not there:" + held);
  return text;
}

/// Collective over the world, after its last fence and before anything else: throws error where something is left
/// here, or where the locations together have not executed as many requests as they have sent.
inline void check_finished(team const& world) {
  constexpr char const* advice =
      ". This is a bug in Sheaf, or memory was overwritten: run with -fsanitize=address, report it";
  location& here = here_of(world);
  std::string const left = leftovers(here);
  if (!left.empty()) {
    throw error("after the last fence " + name_of(here.id()) + " still has " + left + advice);
  }
  team_state const& own = here.registered().world();
  using counts = std::array<std::uint64_t, 2>;  // sent, executed
  auto const add = [](counts a, counts const& b) { return counts{a[0] + b[0], a[1] + b[1]}; };
  counts const sum = all_reduce(world, counts{own.sent, own.executed}, add, {"the end of the program", 0});
  if (sum[0] == sum[1]) return;
  throw error("after the last fence all locations have sent " + std::to_string(sum[0]) + " requests and executed " +
              std::to_string(sum[1]) + advice);
}

/// Limits the time from when a location comes out of the last fence until the process has left the job. Any thread.
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
  void ending(char const* what) {
    std::lock_guard const lock(mutex_);
    ending_ = what;
  }

  [[nodiscard]] bool overdue() const noexcept { return overdue_.load(std::memory_order_relaxed); }

  /// Who is missing in this process, and what the process does.
  [[nodiscard]] std::string report() {
    std::lock_guard const lock(mutex_);
    std::string text;
    auto const add = [&](state which, char const* one, char const* several) {
      std::string list;
      std::uint32_t count = 0;
      for (auto const& [l, s] : locations_) {
        if (s == which) list += (count++ == 0 ? " " : ", ") + std::to_string(l);
      }
      if (count != 0) text += (count == 1 ? "location" : "locations") + list + (count == 1 ? one : several) + "; ";
    };
    add(state::working, " has not come out of the last fence", " have not come out of the last fence");
    add(state::done, " has not come out of its end in Sheaf", " have not come out of their end in Sheaf");
    if (text.empty()) return std::string("all its locations have ended, and it ") + ending_;
    return text.substr(0, text.size() - 2);
  }

 private:
  enum class state : std::uint8_t { working, done, left };

  void set(location_id l, state s) {
    std::lock_guard const lock(mutex_);
    locations_[number(l)] = s;
    if (s != state::done || limit_.count() == 0 || timer_) return;
    timer_.emplace(limit_, [this] {
      overdue_.store(true, std::memory_order_relaxed);
      late_(report());
    });
  }

  std::chrono::nanoseconds const limit_;
  std::function<void(std::string const&)> const late_;
  std::atomic<bool> overdue_{false};
  std::mutex mutex_;
  std::map<std::uint32_t, state> locations_;
  char const* ending_ = "waits for the threads of its locations to end";
  std::optional<time_limit> timer_;  // last: its thread uses the rest
};

}  // namespace sheaf::detail
