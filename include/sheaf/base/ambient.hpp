// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf {
namespace detail {

class location;

/// The one ambient thing of the library: the location that this thread acts for, or null. Each thread has its own and
/// writes it alone: a location's thread from the location's start to its end, the simulator at each switch, an attached
/// thread while it is attached, and a helper thread, or a location that serves a sibling, while it helps. So a location
/// may be that of several threads; each of them puts back what was there before.
extern constinit thread_local location* ambient_location;

/// A name of the calling thread that costs no call; another one may have it once this one has ended.
inline void const* own_thread() noexcept { return &ambient_location; }

class gate;
void enter(gate& g) noexcept;
void leave(gate& g) noexcept;

/// In force while a thread is inside a location that others use, too (gate.hpp). May be nested; nothing without a gate.
class admission {
 public:
  explicit admission(gate* g) noexcept : gate_(g) {
    if (gate_ != nullptr) [[unlikely]]
      enter(*gate_);
  }
  ~admission() {
    if (gate_ != nullptr) [[unlikely]]
      leave(*gate_);
  }
  admission& operator=(admission&&) = delete;

 private:
  gate* const gate_;
};

}  // namespace detail
}  // namespace sheaf
