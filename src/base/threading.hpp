// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <functional>
#include <thread>

namespace sheaf::detail {

/// How the flows of control of a location begin, are told apart and wait for each other where they are fibers of the
/// simulator, whose scheduler runs one at a time; null: threads. All but `self` are for fibers of the job alone.
class threading {
 public:
  /// A name of the calling fiber; null: the caller is none of them.
  [[nodiscard]] virtual void const* self() noexcept = 0;
  /// Others may run here.
  virtual void may_switch() noexcept = 0;
  /// Others run here, as what the caller looks at may change by them alone.
  virtual void yield() noexcept = 0;
  /// Until somebody notifies those that wait for `what`, or `until` of the job's clock (nanoseconds; 0: no limit). May
  /// return early. Nobody else runs between a look at `what` and this.
  virtual void wait(void const* what, std::uint64_t until) noexcept = 0;
  virtual void notify(void const* what) noexcept = 0;
  /// Begins a fiber of the calling one's location, which throws nothing; returns its number.
  virtual std::uint64_t start(std::function<void()> what) = 0;
  /// Waits for its end. Within a job each must be waited for.
  virtual void join(std::uint64_t number) noexcept = 0;

 protected:
  ~threading() = default;
};

/// Lets others run, threads or fibers.
inline void yield(threading* fibers) noexcept { fibers != nullptr ? fibers->yield() : std::this_thread::yield(); }

}  // namespace sheaf::detail
