// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf {
namespace detail {

class location;

/// The library's only ambient state: the location that this thread acts for, or null. Each thread writes its own: a
/// location's thread for the location's lifetime, the simulator at each switch, an attached thread while it is
/// attached, and a helper thread, or a location that serves a sibling, while it helps. So several threads may act for
/// one location. Each restores the previous value. It is in the static block (16 bytes of it), which a library that is
/// loaded later gets a place in, too: so reading it takes no call.
extern constinit thread_local location* ambient_location [[gnu::tls_model("initial-exec")]];

/// Identifies the calling thread without a call. After the thread has ended, another one may get the same value.
inline void const* own_thread() noexcept { return &ambient_location; }

class gate;
void enter(gate& g) noexcept;
void leave(gate& g) noexcept;

/// While it lives, the calling thread is inside the gate (gate.hpp). May be nested; does nothing without a gate.
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
