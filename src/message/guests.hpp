// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// An attached thread's wait.
struct guest_wait {
  wait_site const& site;
  bool (*done)(void*);
  void* context;
  bool parked = false;  ///< it has seen that it is not done, and does nothing until something changes here
};

/// The threads that are attached to a location. All of it inside the gate, unless it says otherwise.
class guests {
 public:
  explicit guests(outside& of) : of_(of) {}

  /// They come and go. `leave` sends what is open. From outside of the gate.
  void enter();
  void leave();
  [[nodiscard]] std::size_t present() const;
  /// Waits, from outside of the gate, until none is left, or for `limit_ns`. False: somebody still is.
  bool await_none(std::uint64_t limit_ns);

  /// The calling thread's wait. Throws job_aborted once the job has failed, or the location's program leaves it.
  void wait(wait_site const& site, bool (*done)(void*), void* context);
  /// Throws what `wait` would.
  static void check_may_wait(location const& here, wait_kind kind, char const* what, call_site from);
  /// An outsider's rmi_poll. Throws as `wait`.
  bool poll();

  /// Something has moved: they look for their answers.
  void tell();
  [[nodiscard]] std::vector<guest_wait const*> const& waits() const { return waits_; }
  /// Whether something may come from outside the job, or from one of them that does not merely wait.
  static bool may_bring(location& here);
  /// Whether some wait here.
  static bool some_wait(location const& here);

 private:
  outside& of_;
  std::atomic<std::size_t> present_{0};  // until they touch nothing of the location any more
  std::vector<guest_wait const*> waits_;
};

}  // namespace sheaf::detail
