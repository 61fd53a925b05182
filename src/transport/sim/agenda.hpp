// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

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
    sleepers_.clear();
    now_ = 1000;
    trace_ = 0;
  }

  /// The thread may run, and waits for nothing.
  void make_ready(sim_thread& t) { possible.add(t.run); }

  /// The thread may run only after a notice of `what` or the deadline (0: none).
  void make_wait(sim_thread& t, std::uint64_t deadline, void const* what) {
    t.waiting = true;
    t.deadline = deadline == 0 ? 0 : std::max(deadline, now_);
    t.waits_for = what;
    if (deadline != 0) timers_.insert(&t);
    if (t.number != 0 || what != bell_of(*t.run.owner)) sleepers_.push_back(&t);
  }

  /// Ends the waits for `what`.
  void notify(void const* what) {
    for (std::size_t i = 0; i < sleepers_.size();) {
      sleepers_[i]->waits_for == what ? end_wait(*sleepers_[i]) : void(++i);
    }
  }

  [[nodiscard]] static void const* bell_of(sim_location const& l) noexcept { return &l.news; }

  /// Something came for the location.
  void wake(sim_location& l) {
    l.news = true;
    ++l.bells;
    if (l.waiting && l.waits_for == bell_of(l)) end_wait(l);
    if (!sleepers_.empty()) notify(bell_of(l));
  }

  /// Lets time pass, and wakes whose deadline has come. True: somebody's had.
  bool advance(std::uint64_t ns) {
    now_ += ns;
    bool any = false;
    while (!timers_.empty() && earliest().deadline <= now_) {
      end_wait(earliest());
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
    bool operator()(sim_thread const* a, sim_thread const* b) const noexcept {
      return std::tuple(a->deadline, a->run.label) < std::tuple(b->deadline, b->run.label);
    }
  };
  [[nodiscard]] sim_thread& earliest() const noexcept { return **timers_.begin(); }

  void end_wait(sim_thread& t) {
    t.waiting = false;
    if (t.deadline != 0) timers_.erase(&t);
    std::erase(sleepers_, &t);
    make_ready(t);
  }

  std::set<sim_thread*, before> timers_;  ///< those that wait with a deadline
  std::vector<sim_thread*> sleepers_;     ///< those that wait for something else than their own location's bell, or
                                          ///< are not its own thread
  std::uint64_t now_ = 0;
  std::uint64_t trace_ = 0;
};

}  // namespace sheaf::detail
