// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "transport/sim/sim_location.hpp"
#include "transport/sim/step_set.hpp"

namespace sheaf::detail {

/// What may happen next: the possible steps, who waits until when, and the virtual clock. Also the hash of all that
/// happened so far.
class agenda {
 public:
  step_set possible;

  [[nodiscard]] std::uint64_t now() const noexcept { return now_; }
  [[nodiscard]] std::uint64_t trace() const noexcept { return trace_; }

  void clear() noexcept {
    possible.clear();
    timers_.clear();
    now_ = 1000;
    trace_ = 0;
  }

  /// The location may run, and waits for nothing.
  void make_ready(sim_location& l) { possible.add(l.run); }

  /// The location may run only after a wake or the deadline (0: none).
  void make_wait(sim_location& l, std::uint64_t deadline) {
    l.waiting = true;
    l.deadline = deadline;
    if (deadline != 0) timers_.insert(&l);
  }

  /// Something came for the location.
  void wake(sim_location& l) {
    l.news = true;
    if (!l.waiting) return;
    l.waiting = false;
    if (l.deadline != 0) timers_.erase(&l);
    make_ready(l);
  }

  /// Lets time pass, and wakes whose deadline has come. True: somebody's had.
  bool advance(std::uint64_t ns) {
    now_ += ns;
    bool any = false;
    while (!timers_.empty() && earliest().deadline <= now_) {
      wake(earliest());
      any = true;
    }
    return any;
  }

  /// Jumps to the earliest deadline. False: nobody waits for one.
  bool advance_to_deadline() {
    if (timers_.empty()) return false;
    return advance(earliest().deadline - now_);
  }

  void record(std::uint64_t what) noexcept {
    trace_ = (trace_ ^ what) * 0x9e3779b97f4a7c15u;
    trace_ ^= trace_ >> 32;
  }

 private:
  struct before {
    bool operator()(sim_location const* a, sim_location const* b) const noexcept {
      return std::pair(a->deadline, a->id) < std::pair(b->deadline, b->id);
    }
  };
  [[nodiscard]] sim_location& earliest() const noexcept { return **timers_.begin(); }

  std::set<sim_location*, before> timers_;  ///< those that wait with a deadline
  std::uint64_t now_ = 0;
  std::uint64_t trace_ = 0;
};

}  // namespace sheaf::detail
