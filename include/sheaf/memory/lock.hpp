// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/memory/allocation.hpp"

namespace sheaf {

/// A lock at a location, for all locations: a value that may be sent anywhere. Who asks first gets it first. Whoever
/// asks leaves its name there and waits at home, so the lock passes on without the location where it is. Used in the
/// program, by the location's own thread; a waiting location executes requests. What the holder has put anywhere is
/// there before the next one has the lock. If a process ends while it has a lock, the job ends, and the error names the
/// process. (ARMCI_Lock.)
class global_lock {
 public:
  global_lock() = default;
  /// A lock whose word is there, which is zero at first.
  explicit global_lock(global_ptr<std::uint64_t> word) noexcept : word_(word) {}

  /// Throws usage_error where this location has it, and in a remotely invoked method.
  void lock(call_site from = call_site::here()) const {
    detail::one_sided::current("lock", from).lock({word_.where(), word_.address()}, from);
  }
  /// Whether it was free, and is the caller's now.
  [[nodiscard]] bool try_lock(call_site from = call_site::here()) const {
    return detail::one_sided::current("try_lock", from).try_lock({word_.where(), word_.address()});
  }
  /// Throws usage_error where this location does not have it. Begins with fence_all().
  void unlock(call_site from = call_site::here()) const {
    detail::one_sided::current("unlock", from).unlock({word_.where(), word_.address()}, from);
  }

  [[nodiscard]] global_ptr<std::uint64_t> word() const noexcept { return word_; }

 private:
  global_ptr<std::uint64_t> word_;
};

}  // namespace sheaf
