// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// Lets a thread of the program's own issue requests from a location, while this lives:
///
///     std::thread reader([&, world] {
///       sheaf::attached_thread const self(world);
///       while (auto line = next_line()) words.async<&index::add>(owner_of(*line), *line);
///     });
///
/// Needs SHEAF_PROGRESS=shared, helper or hand_over. The thread may call async, bind, sync, ask and
/// get() on its futures, try_async, poll and flush; all else (fences, collectives, broadcasts, reductions,
/// registration, reply windows, migrating objects, wait_for_request, then()) is for the location's own program and
/// throws usage_error here. Requests of one thread to one location start in the order it issued them; those of several
/// threads of a location mix. A request waits for nothing but room: while the location holds back more than
/// SHEAF_RESERVE_BYTES. Waits sleep until the answer is there, and never execute others' requests; nobody else needs
/// to do anything for it here. Waits (for room, too) and poll throw job_aborted when the job has failed, or the
/// location's program has got what ends it: catch that on the thread, as all that it throws.
///
/// Requests issued before the thread detached, or returned from flush, are covered by every fence of the location
/// that begins after that. Detach all, and let their futures go, before the location's program returns (usage_error).
class attached_thread {
 public:
  /// Called on the thread. `where`: any team of the location, as its program got it. Throws usage_error where
  /// SHEAF_PROGRESS is inline, and where the thread belongs to a location already.
  explicit attached_thread(team const& where);
  /// On the same thread. Hands what it issued to the transport; waits for nothing.
  ~attached_thread();
  attached_thread& operator=(attached_thread&&) = delete;

 private:
  detail::location& here_;
};

/// Tells the watchdog that something outside of the job will end a wait of this location, such as a thread of the
/// program that sets a variable: +1 before the wait, -1 once its effect is here. Above 0 the job is not taken for a
/// deadlocked one. Attached threads do so by themselves. Throws usage_error outside of sheaf::run.
inline void expect_from_outside(int delta, call_site where = call_site::here()) {
  detail::current("expect_from_outside", where).expect_from_outside(delta);
}

}  // namespace sheaf
