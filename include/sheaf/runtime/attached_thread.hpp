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
/// Needs SHEAF_PROGRESS=shared, helper or hand_over. The thread may call async, bind, sync, ask, get() and ready() on
/// its futures, try_async, poll and flush, and, while it has an epoch_part, send typed messages; all else (fences,
/// collectives, broadcasts, reductions, registration, reply windows, migrating objects, wait_for_request, then()) is
/// for the location's own program and throws usage_error here. Requests of one thread to one location start in the
/// order it issued them; those of several threads have no order. Issuing waits only for room: while the location holds
/// back more than SHEAF_RESERVE_BYTES. A wait sleeps until the answer is there. It never executes requests and needs no
/// help from the location's own thread. Waits (for room, too) poll and ready() throw job_aborted when the job has
/// failed or the location's program has received the error that ends it: catch that on the thread, like all that it
/// throws.
///
/// Every fence of the location that begins after the thread detached, or returned from flush, covers the requests it
/// issued before. Detach all threads and destroy their futures before the location's program returns (usage_error).
class attached_thread {
 public:
  /// Attaches the calling thread. `where`: any team of the location, as its program got it. Throws usage_error if
  /// SHEAF_PROGRESS is inline, in the simulator, and if the thread belongs to a location already.
  explicit attached_thread(team const& where);
  /// Called on the same thread. Hands its requests to the transport; never waits.
  ~attached_thread();
  attached_thread& operator=(attached_thread&&) = delete;

 private:
  detail::location& here_;
};

/// Tells the watchdog that something outside the job, such as a thread that sets a variable, will end a wait of this
/// location: +1 before the wait, -1 once the effect is here. Above 0 no deadlock is reported. Attached threads need no
/// such call. Throws usage_error outside of sheaf::run.
inline void expect_from_outside(int delta, call_site where = call_site::here()) {
  detail::current("expect_from_outside", where).expect_from_outside(delta);
}

}  // namespace sheaf
